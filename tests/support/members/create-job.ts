import { oneRowJob } from "../job-views.ts"
import { limitsOf } from "../test-app.tsx"
import type { JobRow } from "../../../contract/job-rows.ts"
import { ana, success, type Answers } from "./open-member.tsx"

/** Outcome of a member-create job. */
export interface CreateJob {
  readonly state?: JobRow["state"]
  readonly outcome?: JobRow["outcome"]
  /** The server responds once this resolves. */
  readonly before?: Promise<void>
}

/** A server with one member-create job, and the requests posted to it. */
export function createdBy({ state = "confirmed", outcome = null, before }: CreateJob) {
  const posted: { readonly body: unknown; readonly headers: Headers }[] = []
  const { job, row } = oneRowJob(
    { kind: "member-create", phase: "idle", created_by: { id: "user-admin", name: "Priya Nair" } },
    {
      state,
      input: { email: ana.email, first_name: ana.first_name, last_name: ana.last_name },
      outcome,
      upstream_id: state === "confirmed" ? ana.id : null,
      attempts: 1,
      member: { id: ana.id, label: "Ana Silva" },
    },
  )
  const answers: Answers = {
    "POST /api/jobs": async ({ body, headers }) => {
      posted.push({ body, headers })
      await before
      return job
    },
    "GET /api/limits": () => limitsOf(),
    "GET /api/jobs": () => [],
    "GET /api/jobs/J-1": () => job,
    "GET /api/jobs/J-1/rows": () => success([row], { page: 1, total: 1 }),
  }
  return { answers, posted }
}
