import { useController, type Control } from "react-hook-form"
import type { RefusedPair } from "../../../../contract/cards.ts"
import type { GiftcardRow } from "../../../../contract/job-rows.ts"
import { RelativeTime } from "../../../ui/values.tsx"
import { Notice } from "../../../ui/notice.tsx"
import { pairKey, type IssueValues } from "../issue-model.ts"
import classes from "../issue.module.css"

interface PairNoteProps {
  control: Control<IssueValues, unknown, GiftcardRow>
  pair: RefusedPair
  /** "$1,000.00 of Trade Visa". */
  what: string
}

/** An amount that the service refused of this template before: it is not asked for again without a word. */
export function PairNote({ control, pair, what }: PairNoteProps) {
  const { field } = useController({ control, name: "confirmed" })
  const key = pairKey(pair.card_id, pair.denomination)
  return (
    <Notice tone="warning" title={`The service refused ${what} before`} detail={pair.code}>
      It said “{pair.message}”, <RelativeTime at={pair.at} />. Choose another amount, or:
      <label className={classes.again}>
        <input
          type="checkbox"
          className={classes.box}
          checked={field.value === key}
          onChange={({ currentTarget }) => field.onChange(currentTarget.checked ? key : "")}
        />
        Try anyway
      </label>
    </Notice>
  )
}
