import { useQuery } from "@tanstack/react-query"
import { limits } from "../../contract/limits.ts"
import { pointsSettingsQuery } from "../api/settings.ts"
import classes from "./members-see.module.css"

/** What the batch tag takes at the end of a reason, in characters: ` · batch ` and the code. */
const tagLength = " · batch 7K2QX".length

interface MembersSeeProps {
  /** The reason as it was typed. */
  reason: string
  /**
   * What identifies the entry: its own reference (`single`), or the job's batch code at the end of the reason. Batched
   * awards carry the code unless the settings switch it off; deductions always (docs/decisions/0008-jobs.md, Marks).
   */
  sent: "single" | "bulk" | "deduct"
}

/** The text that stands in the member's ledger. The code itself is made with the job. */
export function MembersSee({ reason, sent }: MembersSeeProps) {
  const { data: settings } = useQuery({ ...pointsSettingsQuery, enabled: sent === "bulk" })
  const tagged = sent === "deduct" || (sent === "bulk" && settings?.batch_code !== false)
  const written = reason.trim()
  if (written === "") return null
  const shown = tagged ? written.slice(0, limits.reason - tagLength).trimEnd() : written
  return (
    <p className={classes.see}>
      Members will see: <b className={classes.text}>{shown}</b>
      {tagged && (
        <>
          <b className={classes.text}> · batch</b> + a 5-character code that identifies this job
        </>
      )}
    </p>
  )
}
