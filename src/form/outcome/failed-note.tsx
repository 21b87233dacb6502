import { useQuery } from "@tanstack/react-query"
import { rowOutcomeCodes, type JobRow } from "../../../contract/desk/job-rows.ts"
import { Notice } from "../../ui/notice.tsx"

const atlasQuery = {
  queryKey: ["atlas"],
  // Fetched when something failed: a page that never meets an error does not carry the words for it.
  queryFn: async () => (await import("../../../contract/errors/atlas.ts")).explainUpstream,
  staleTime: Infinity,
} as const

/** A row that definitely did not happen: the service's own words, what they mean, and what to correct. */
export function FailedNote({ outcome, notDone }: { outcome: JobRow["outcome"]; notDone: string }) {
  const { data: explainUpstream } = useQuery(atlasQuery)
  const code = outcome?.code ?? null
  const own = rowOutcomeCodes.some((each) => each === code)
  const entry = own || code === null ? undefined : explainUpstream?.("program", 400, code)
  return (
    <Notice
      tone="danger"
      title={own ? notDone : (entry?.title ?? "The service refused this")}
      detail={own ? undefined : (code ?? undefined)}
    >
      {[own ? undefined : notDone, outcome?.message, entry?.next].filter(Boolean).join(" ")}
    </Notice>
  )
}
