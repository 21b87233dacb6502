import type { Api } from "../../../contract/status.ts"
import type { OneRow } from "./use-one-row.ts"
import { Notice } from "../../ui/notice.tsx"
import { FailedNote } from "./failed-note.tsx"
import { JobControls } from "./job-controls.tsx"
import { JobLink } from "./job-link.tsx"
import { NextLook } from "./next-look.tsx"
import { Queued } from "./queued.tsx"

interface RowNoticeProps {
  one: OneRow
  /** What is under way: "Awarding 500 points to Ana Silva". */
  doing: string
  /** What did not happen: "The points were not awarded." */
  notDone: string
  /** Where an unanswered one is looked up: "in the ledger". */
  lookup: string
  /** The service it goes to. */
  api?: Api
}

/**
 * How a row stands that is not confirmed, in its place in the form's drawer: what happened, what was and was not
 * done, what happens next by itself, and what the person can do.
 */
export function RowNotice({ one, doing, notDone, lookup, api = "program" }: RowNoticeProps) {
  const { job, row, face } = one
  const decide = <JobLink id={job.id}>Review and decide</JobLink>
  switch (face) {
    case "queued":
      return <Queued doing={doing} again={row.attempts > 0} lookup={lookup} api={api} />
    case "sent":
      return (
        <Notice tone="info" title={doing}>
          It was sent, and the service hasn’t responded yet.
        </Notice>
      )
    case "late":
      return (
        <Notice
          tone="warning"
          title="It wasn’t sent within a minute"
          action={<JobControls jobId={job.id} send="Send now" />}
        >
          {notDone} It waits for your word, so that nothing happens later by surprise.
        </Notice>
      )
    case "stopped":
      return (
        <Notice
          tone="warning"
          title={job.pause?.message ?? "The job is paused"}
          action={<JobControls jobId={job.id} send="Try again" />}
        >
          {notDone} <JobLink id={job.id} /> keeps it until it goes on or is cancelled.
        </Notice>
      )
    case "cancelled":
      return (
        <Notice tone="info" title="Cancelled">
          {notDone} Nothing was sent.
        </Notice>
      )
    case "failed":
      return <FailedNote outcome={row.outcome} notDone={notDone} api={api} />
    case "unknown":
      return (
        <Notice tone="warning" title="Outcome not known yet" action={<NextLook row={row} />}>
          No answer came. It is being looked up {lookup} and is not sent again before that. You can leave: a
          notice and <JobLink id={job.id}>the job</JobLink> tell how it ended.
        </Notice>
      )
    case "absent":
      return (
        <Notice tone="warning" title="It didn’t happen" action={decide}>
          {row.outcome?.message ?? notDone}
        </Notice>
      )
    case "conflict":
      return (
        <Notice tone="warning" title="Decision needed" action={decide}>
          {row.outcome?.message ?? "It isn’t known whether it happened."}
        </Notice>
      )
    default:
      return null
  }
}
