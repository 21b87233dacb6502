import { limitsOf } from "../test-app.tsx"
import type { JobRow } from "../../../contract/job-rows.ts"
import { ana, success, type Answers } from "./open-member.tsx"

/** How the creation of a member ends on the test's server. */
export interface CreateJob {
  readonly state?: JobRow["state"]
  readonly outcome?: JobRow["outcome"]
  /** The server answers only then. */
  readonly before?: Promise<void>
}

/** A server that makes one job of one new member, and what was posted to it. */
export function createdBy({ state = "confirmed", outcome = null, before }: CreateJob) {
  const posted: { readonly body: unknown; readonly headers: Headers }[] = []
  const counts = {
    planned: 0,
    sent: 0,
    confirmed: 0,
    failed: 0,
    unknown: 0,
    absent: 0,
    conflict: 0,
    excluded: 0,
  }
  const job = {
    id: "J-1",
    kind: "member-create",
    title: null,
    state: state === "unknown" ? "running" : "done",
    pause: null,
    phase: "idle",
    total: 1,
    counts: { ...counts, [state]: 1 },
    attention: 0,
    batch_code: "7K2Q",
    created_at: "2026-11-21T00:00:00Z",
    created_by: { id: "user-admin", name: "Priya Nair" },
    started_at: null,
    finished_at: null,
    mode: null,
    file: null,
    points: null,
    pace: null,
    reverses: null,
    reversed_by: [],
  }
  const row = {
    row: 1,
    state,
    input: { email: ana.email, first_name: ana.first_name, last_name: ana.last_name },
    outcome,
    upstream_id: state === "confirmed" ? ana.id : null,
    attempts: 1,
    member: { id: ana.id, label: "Ana Silva" },
    sent_at: null,
    ended_at: null,
    next_look_at: null,
    balance_after: null,
  }
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
