import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { jobsQuery } from "../../api/jobs.ts"
import { sessionCan, sessionQuery } from "../../api/session.ts"
import { jobFilterOf } from "../../features/activity/jobs/jobs-filter.ts"
import { JobsPage } from "../../features/activity/jobs/jobs-page.tsx"
import { jobsDefaults, jobsSearch } from "../../features/activity/jobs/jobs-search.ts"

export const Route = createFileRoute("/_desk/jobs")({
  validateSearch: jobsSearch,
  search: { middlewares: [stripSearchParams(jobsDefaults)] },
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { queryClient }, deps }) => {
    const session = await queryClient.ensureQueryData(sessionQuery)
    if (session === null || !sessionCan(session, "jobs.read")) return
    void queryClient.prefetchQuery(jobsQuery(jobFilterOf(deps, session.program.time_zone), deps.parts))
  },
  component: JobsPage,
})
