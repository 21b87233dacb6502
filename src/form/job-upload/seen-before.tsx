import { useQuery } from "@tanstack/react-query"
import type { Job, JobKind } from "../../../contract/desk/job.ts"
import { jobsQuery } from "../../api/jobs.ts"
import { Ago } from "../../ui/ago.tsx"
import { Notice } from "../../ui/notice.tsx"
import { JobLink } from "../outcome/job-link.tsx"
import classes from "./seen-before.module.css"

/** Jobs that were made from the same rows before, newest first; undefined while it is not known. */
export function useSeenBefore(kind: JobKind, fingerprint: string | null): readonly Job[] | undefined {
  const { data, isPlaceholderData } = useQuery({
    ...jobsQuery({ kind, fingerprint: fingerprint ?? "" }),
    enabled: fingerprint !== null,
  })
  // A draft has sent nothing: it is this very file, on its way.
  return isPlaceholderData ? undefined : data?.jobs.filter(({ state }) => state !== "draft")
}

interface SeenBeforeNoteProps {
  jobs: readonly Job[]
  /** What doing it again means: "Award them again". */
  again: string
  accepted: boolean
  onAccept: (accepted: boolean) => void
}

/** The same rows went out before: says when and by whom, and asks for a word before they go out again. */
export function SeenBeforeNote({ jobs, again, accepted, onAccept }: SeenBeforeNoteProps) {
  const [last] = jobs
  if (last === undefined) return null
  return (
    <Notice tone="warning" title="The same rows were sent before">
      <JobLink id={last.id} /> by {last.created_by.name}, <Ago at={last.created_at} />.
      {jobs.length > 1 && ` ${jobs.length - 1} more before that.`}
      <label className={classes.again}>
        <input
          type="checkbox"
          className={classes.box}
          checked={accepted}
          onChange={({ currentTarget }) => onAccept(currentTarget.checked)}
        />
        {again}
      </label>
    </Notice>
  )
}
