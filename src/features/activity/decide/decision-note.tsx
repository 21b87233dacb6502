import type { RowDecision } from "../../../../contract/job-rows.ts"
import { exact } from "../../../lib/time.ts"
import { Notice } from "../../../ui/notice.tsx"
import { decisionWords } from "../jobs/row-words.ts"

interface DecisionNoteProps {
  decision: RowDecision
  /** It was excluded before it was sent, while the job was paused. */
  leftOut: boolean
}

/** What somebody decided about a row, who and when. */
export function DecisionNote({ decision, leftOut }: DecisionNoteProps) {
  return (
    <Notice tone="info" title={leftOut ? "Excluded" : `Decided: ${decisionWords(decision).toLowerCase()}`}>
      By {decision.by.name}, {exact(decision.at)}.
      {decision.upstream_id !== null && (
        <>
          {" "}
          Linked to <span className="l-mono">{decision.upstream_id}</span>.
        </>
      )}
    </Notice>
  )
}
