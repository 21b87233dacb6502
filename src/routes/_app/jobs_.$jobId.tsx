import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { jobQuery, jobRowsQuery } from "../../api/jobs.ts"
import { JobPage } from "../../features/activity/job-page.tsx"
import { jobDefaults, jobSearch, toRowsQuery } from "../../features/activity/activity-search.ts"

export const Route = createFileRoute("/_app/jobs_/$jobId")({
  validateSearch: jobSearch,
  search: { middlewares: [stripSearchParams(jobDefaults)] },
  loaderDeps: ({ search }) => toRowsQuery(search),
  loader: ({ context: { queryClient }, params, deps }) => {
    void queryClient.prefetchQuery(jobQuery(params.jobId))
    void queryClient.prefetchQuery(jobRowsQuery(params.jobId, deps))
  },
  component: JobPage,
})
