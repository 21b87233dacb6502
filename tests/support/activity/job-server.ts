import type { Job } from "../../../contract/job.ts"
import type { JobRow } from "../../../contract/job-rows.ts"
import type { Role } from "../../../contract/roles.ts"
import { needsPerson } from "../../../src/features/activity/job-status.tsx"
import { sessionOf, type Handlers } from "../test-app.tsx"

/** State of the fake server; a test mutates it. */
export interface JobWorld {
  job: Job
  rows: readonly JobRow[]
}

/** Handlers of a server with one job. */
export function jobServer(world: JobWorld, role: Role = "manager"): Handlers {
  const path = `/api/jobs/${world.job.id}`
  return {
    "GET /api/session": () => sessionOf(role),
    "GET /api/status/budget": () => [],
    "GET /api/settings/cardTemplates": () => ({ templates: [], default: null }),
    "GET /api/settings/cardPairs": () => ({ refused: [] }),
    "GET /api/jobs": () => [world.job],
    "POST /api/members/names": () => ({ names: [], missing: [], coming: [] }),
    [`GET ${path}`]: () => world.job,
    [`GET ${path}/rows`]: ({ query }) => {
      const state = query.get("state")
      const search = query.get("search")
      const matches = world.rows
        .filter((row) => state === null || (state === "attention" ? needsPerson(row) : row.state === state))
        .filter((row) => search === null || String(row.line ?? row.row).includes(search))
      const size = Number(query.get("per_page") ?? 25)
      const page = Number(query.get("page") ?? 1)
      const data = matches.slice((page - 1) * size, page * size)
      return Response.json({ success: true, data, meta: { page, per_page: size, total: matches.length } })
    },
  }
}
