import { useQuery } from "@tanstack/react-query"
import { type JobRow, rowOutcomeCodes } from "../../../contract/job-rows.ts"
import type { Api } from "../../../contract/status.ts"
import { asSentence } from "../../lib/format.ts"
import { AtlasStep, hasStep } from "../../ui/error-notice.tsx"
import { Notice } from "../../ui/notice.tsx"

const atlasQuery = {
  queryKey: ["atlas"],
  // Fetched when something failed: a page that never meets an error does not carry the words for it.
  queryFn: async () => (await import("../../../contract/error-catalogue.ts")).explainApiCode,
  staleTime: Infinity,
} as const

interface FailedNoteProps {
  outcome: JobRow["outcome"]
  /** What did not happen: "The points were not awarded." */
  notDone: string
  /** The service that refused it. */
  api?: Api
}

/** A row that definitely did not happen: the service's own words, what they mean, and what to do about it. */
export function FailedNote({ outcome, notDone, api = "program" }: FailedNoteProps) {
  const { data: explainApiCode } = useQuery(atlasQuery)
  const code = outcome?.code ?? null
  const own = rowOutcomeCodes.some((each) => each === code)
  const entry = own || code === null ? undefined : explainApiCode?.(api, code)
  return (
    <Notice
      tone="danger"
      title={own ? notDone : (entry?.title ?? "Refused by the service")}
      detail={own ? undefined : (code ?? undefined)}
      {...(hasStep(entry?.action) ? { action: <AtlasStep action={entry?.action} /> } : {})}
    >
      {[own ? undefined : notDone, asSentence(outcome?.message ?? ""), entry?.next].filter(Boolean).join(" ")}
    </Notice>
  )
}
