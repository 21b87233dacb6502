import { formatCount } from "../../../lib/format.ts"
import { Notice } from "../../../ui/notice.tsx"
import classes from "./issue-file.module.css"

interface RefusedNoteProps {
  /** Numbers of the rows in the file. */
  rows: readonly number[]
  accepted: boolean
  onAccept: (accepted: boolean) => void
}

/** Rows named by number, the rest counted. */
const most = 3

/** Amounts that their template refused before: they fail without a call unless a person says so. */
export function RefusedNote({ rows, accepted, onAccept }: RefusedNoteProps) {
  if (rows.length === 0) return null
  const one = rows.length === 1
  const named = rows.slice(0, most).map(formatCount).join(", ")
  const more = rows.length > most ? ` and ${formatCount(rows.length - most)} more` : ""
  return (
    <Notice
      tone="warning"
      title={`${formatCount(rows.length)} ${one ? "row asks" : "rows ask"} for an amount the service refused before`}
    >
      {one ? "Row" : "Rows"} {named}
      {more}. {one ? "It fails" : "They fail"} without a call, and can be mended in the job.
      <label className={classes.again}>
        <input
          type="checkbox"
          className={classes.box}
          checked={accepted}
          onChange={({ currentTarget }) => onAccept(currentTarget.checked)}
        />
        Try {one ? "it" : "them"} all the same
      </label>
    </Notice>
  )
}
