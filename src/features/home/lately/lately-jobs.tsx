import { IconActivity } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { jobsQuery } from "../../../api/jobs.ts"
import { useSession } from "../../../api/session.ts"
import { jobTitle } from "../../../lib/job-title.ts"
import { LatelyList, latelyShown } from "./lately-list.tsx"

/** The newest jobs, for those who do not read the audit log. */
export function LatelyJobs() {
  const { user } = useSession()
  const { data, error, isFetching, refetch } = useQuery(jobsQuery({}))
  return (
    <LatelyList
      end={
        <Link to="/jobs" className="l-link">
          Activity
        </Link>
      }
      error={isFetching ? null : error}
      onRetry={() => void refetch()}
      lines={data?.jobs.slice(0, latelyShown).map((job) => ({
        id: job.id,
        icon: IconActivity,
        what: jobTitle(job),
        on: "",
        link: { to: "/jobs/$jobId", params: { jobId: job.id } },
        who: job.created_by.id === user.id ? "you" : job.created_by.name,
        at: job.created_at,
      }))}
    />
  )
}
