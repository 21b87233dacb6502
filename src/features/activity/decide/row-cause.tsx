import type { JobKind } from "../../../../contract/job.ts"
import type { JobRow } from "../../../../contract/job-rows.ts"
import { explainCode, menderSentences } from "../../../../contract/error-catalogue.ts"
import { AtlasStep, hasStep } from "../../../ui/error-notice.tsx"
import { Notice } from "../../../ui/notice.tsx"

/**
 * What the service's code at a row means: what happened, whose job it is, the next step (error atlas). Nothing for a row
 * that is confirmed, and for the desk's own outcomes, which speak for themselves.
 */
export function RowCause({ kind, row }: { kind: JobKind; row: JobRow }) {
  const { outcome, state } = row
  const entry = outcome === null || state === "confirmed" ? undefined : explainCode(kind, outcome.code)
  if (entry === undefined) return null
  return (
    <Notice
      tone={state === "failed" ? "danger" : "warning"}
      title={entry.title}
      detail={entry.code ?? String(entry.status)}
      {...(hasStep(entry.action) ? { action: <AtlasStep action={entry.action} /> } : {})}
    >
      {`${entry.happened} ${menderSentences[entry.whose]} ${entry.next}`}
    </Notice>
  )
}
