import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { jobSummaryQuery } from "../../api/jobs.ts"
import { useCan } from "../../api/session.ts"

const JobsFace = lazy(async () => ({ default: (await import("./jobs-face.tsx")).JobsFace }))
const JobNotices = lazy(async () => ({ default: (await import("./job-notices.tsx")).JobNotices }))

/** Jobs under way, and those that need somebody. What it shows is fetched once there is something to show. */
export function JobsChip() {
  const { data } = useQuery({ ...jobSummaryQuery, enabled: useCan("jobs.read") })
  const busy = data !== undefined && data.active > 0
  // Once something ran, its end is worth a word.
  const [watching, setWatching] = useState(busy)
  if (busy && !watching) setWatching(true)
  if (data === undefined) return null
  return (
    <Suspense>
      {(busy || data.attention > 0) && <JobsFace summary={data} />}
      {watching && <JobNotices />}
    </Suspense>
  )
}

/** How many jobs need somebody; 0 while it is not known. */
export function useJobsAttention(): number {
  return useQuery({ ...jobSummaryQuery, enabled: useCan("jobs.read") }).data?.attention ?? 0
}
