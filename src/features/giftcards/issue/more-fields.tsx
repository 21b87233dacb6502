import { IconChevronRight } from "@tabler/icons-react"
import { useFormState, useWatch, type Control } from "react-hook-form"
import type { GiftcardRow } from "../../../../contract/job-rows.ts"
import { TextField } from "../../../forms/fields.tsx"
import classes from "../issue.module.css"
import type { IssueValues } from "../issue-model.ts"

interface MoreFieldsProps {
  control: Control<IssueValues, unknown, GiftcardRow>
  open: boolean
  onToggle: (open: boolean) => void
}

/** What a card rarely needs: account key, mobile, unsubscribe link. Folded, it says what stands inside. */
export function MoreFields({ control, open, onToggle }: MoreFieldsProps) {
  const [key, mobile, link] = useWatch({ control, name: ["accountKey", "mobile", "unsubscribeUrl"] })
  const { errors } = useFormState({ control })
  // What is wrong in here must be seen.
  const wrong = [errors.accountKey, errors.mobile, errors.unsubscribeUrl].some((error) => error !== undefined)
  const given = [key, mobile, link].map((text) => text.trim()).filter((text) => text !== "")
  return (
    <details
      className={classes.more}
      open={open || wrong}
      onToggle={({ currentTarget }) => onToggle(currentTarget.open)}
    >
      <summary>
        <IconChevronRight size={16} stroke={1.75} aria-hidden />
        Account key, mobile, unsubscribe link
        <span className="text-muted truncate">{given.length === 0 ? "none" : given.join(", ")}</span>
      </summary>
      <div className={classes.within}>
        <div className={classes.two}>
          <TextField control={control} name="accountKey" label="Account key" optional />
          <TextField control={control} name="mobile" label="Mobile" optional type="tel" />
        </div>
        <TextField
          control={control}
          name="unsubscribeUrl"
          label="Unsubscribe link"
          optional
          type="url"
          placeholder="https://"
          help="Included in the e-mail with the card."
        />
      </div>
    </details>
  )
}
