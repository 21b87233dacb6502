import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { jobsQuery } from "../../api/jobs.ts"
import { sessionCan } from "../../api/session.ts"
import { JobsPage, toJobFilter } from "../../features/activity/jobs-page.tsx"
import { jobsSearch, listDefaults } from "../../features/activity/activity-search.ts"
import { defaultView } from "../../lists/list-params.ts"

export const Route = createFileRoute("/_app/jobs")({
  validateSearch: jobsSearch,
  search: { middlewares: [stripSearchParams(listDefaults)] },
  beforeLoad: defaultView("jobs"),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient, session }, deps }) => {
    if (!sessionCan(session, "jobs.read")) return
    void queryClient.prefetchQuery(jobsQuery(toJobFilter(deps, session.program.time_zone), deps.parts))
  },
  component: JobsPage,
})
