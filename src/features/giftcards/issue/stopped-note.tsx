import { useQuery } from "@tanstack/react-query"
import type { Job } from "../../../../contract/job.ts"
import { JobControls } from "../../../forms/job-outcome.tsx"
import { JobLink } from "../../../forms/job-link.tsx"
import { AtlasStep } from "../../../ui/error-notice.tsx"
import { Notice } from "../../../ui/notice.tsx"
import { notIssued } from "./issue-words.ts"

const wordsQuery = {
  queryKey: ["pause-words"],
  // Fetched when something stands still: a form that never meets it does not carry the words for it.
  queryFn: async () => {
    const [{ explainCode }, { menderSentences }] = await Promise.all([
      import("../../../../contract/error-catalogue.ts"),
      import("../../../../contract/error-catalogue.ts"),
    ])
    return { explainCode, menderSentences }
  },
  staleTime: Infinity,
} as const

/** Why a card is not sent, whose job it is to mend it, and what to do, with the action as a button. */
export function StoppedNote({ job }: { job: Job }) {
  const { data: words } = useQuery(wordsQuery)
  const pause = job.pause
  const entry = pause === null ? undefined : words?.explainCode(job.kind, pause.code)
  return (
    <Notice
      tone="warning"
      title={entry?.title ?? pause?.message ?? "The job is paused"}
      detail={entry === undefined ? undefined : pause?.code}
      action={
        <>
          <JobControls jobId={job.id} send="Try again" />
          <AtlasStep action={entry?.action === "resume-job" ? undefined : entry?.action} />
        </>
      }
    >
      {entry === undefined
        ? notIssued
        : [entry.happened, words?.menderSentences[entry.whose], entry.next].join(" ")}{" "}
      <JobLink id={job.id} /> keeps it until it goes on or is cancelled.
    </Notice>
  )
}
