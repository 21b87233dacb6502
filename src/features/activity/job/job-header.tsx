import { getRouteApi, Link } from "@tanstack/react-router"
import type { Job } from "../../../../contract/job.ts"
import type { useControlJob } from "../../../api/job-writes.ts"
import { jobTitle } from "../../../lib/job-title.ts"
import { CopyText, RelativeTime } from "../../../ui/values.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import { kindNames } from "../jobs/job-words.ts"
import { JobStatus } from "../jobs/state-mark.tsx"
import { JobActions } from "./job-actions.tsx"
import classes from "./job.module.css"

const route = getRouteApi("/_desk/jobs_/$jobId")

/** What the job is, whose, and what can be done with it. */
export function JobHeader({ job, control }: { job: Job; control: ReturnType<typeof useControlJob> }) {
  const { open } = route.useSearch()
  return (
    <>
      <PageHeader
        title={jobTitle(job)}
        path={[{ label: "Activity", to: "/jobs" }]}
        pill={
          <>
            <JobStatus job={job} pill />
            <CopyText text={job.id} mono />
          </>
        }
        actions={open === "fix" ? undefined : <JobActions job={job} control={control} />}
      />
      <p className={classes.about}>
        <span>
          {kindNames[job.kind]} by {job.created_by.name}, <RelativeTime at={job.created_at} />
        </span>
        {job.mode !== null && <span>{job.mode === "bulk" ? "Sent in batches" : "Sent one by one"}</span>}
        {job.kind !== "member-create" && (
          <span>
            Batch <span className="l-mono">{job.batch_code}</span>
          </span>
        )}
        {job.file !== null && <span className={classes.file}>From {job.file.name}</span>}
        {job.reverses !== null && (
          <span>
            Takes back <JobLink id={job.reverses} />
          </span>
        )}
        {job.reversed_by.length > 0 && (
          <span>
            Reversed by{" "}
            {job.reversed_by.map((id, index) => (
              <span key={id}>
                {index > 0 && ", "}
                <JobLink id={id} />
              </span>
            ))}
          </span>
        )}
      </p>
    </>
  )
}

function JobLink({ id }: { id: string }) {
  return (
    <Link to="/jobs/$jobId" params={{ jobId: id }} className="l-link">
      {id}
    </Link>
  )
}
