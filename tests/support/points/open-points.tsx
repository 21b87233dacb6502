import { act } from "@testing-library/react"
import { addRowsBody } from "../../../contract/job.ts"
import type { Role } from "../../../contract/roles.ts"
import type { Sandbox } from "../../../sandbox/app.ts"
import { jobKey, jobsKey } from "../../../src/api/jobs.ts"
import { ana, openPage } from "../open-page.tsx"
import type { Handlers } from "../test-app.tsx"
import { FakeJobs } from "./fake-jobs.ts"

type Received = Parameters<Handlers[string]>[0] & { readonly key: string | null }

/** Handlers by `METHOD path` that override the fake's own: data for a 200, or a `Response`. */
export type Answers = Record<string, (request: Received) => unknown>

/** Three members with short ids. */
function addMembers({ store: { members } }: Sandbox): void {
  const record = members.get(ana.id)
  if (record === undefined) return
  for (const [first_name, last_name, balance] of [
    ["Ana", "Silva", 12480],
    ["Bec", "Hargreaves", 300],
    ["Chinedu", "Okafor", 4000],
  ] as const) {
    const name = first_name.toLowerCase()
    const email = `${name}@coastal.test`
    members.put({ ...record, id: `mem_${name}`, email, first_name, last_name, balance, accountKey: null })
  }
  members.remove(ana.id)
}

/** A success with optional meta. */
function success(data: unknown, meta?: unknown, status = 200): Response {
  return Response.json({ success: true, data, ...(meta === undefined ? {} : { meta }) }, { status })
}

/** An error response with optional details. */
export function refusal(status: number, code: string, message: string, details?: unknown): Response {
  const error = { code, message, requestId: "r-1", ...(details === undefined ? {} : { details }) }
  return Response.json({ success: false, error }, { status })
}

/** A page over the core on a sandbox, with jobs whose progress a test controls. */
export async function openPoints(
  address: string,
  { role = "manager", answers = {}, ...opening }: Opening = {},
) {
  const jobs = new FakeJobs()
  const keyed = Object.entries(answers).map(([line, answer]) => [
    line,
    (request: Parameters<Handlers[string]>[0]) =>
      answer({ ...request, key: request.headers.get("Idempotency-Key") }),
  ])
  const opened = await openPage(address, {
    ...opening,
    as: role,
    sandbox: { members: 1 },
    prepare: addMembers,
    answers: { "GET /api/reports/points": () => reasons, ...Object.fromEntries(keyed) },
    handle: ({ method, path, query, body, headers }) =>
      path.startsWith("/api/jobs")
        ? handleJobs(jobs, { method, path, query, body, key: headers.get("Idempotency-Key") })
        : undefined,
  })
  return {
    ...opened,
    jobs,
    posted: (path: string) =>
      opened.writes
        .filter(({ line }) => line === `POST ${path}`)
        .map((write) => ({ ...write, key: write.headers.get("Idempotency-Key") })),
    /** Invalidates queries as a job event does. */
    notifyChange: async (id: string) => {
      const { queryClient } = opened
      await act(async () => {
        // Rows are read every 2 s at most: the last read was long ago.
        for (const [key, rows] of queryClient.getQueriesData({ queryKey: [...jobKey(id), "rows"] }))
          queryClient.setQueryData(key, rows, { updatedAt: 1 })
        await queryClient.invalidateQueries({ queryKey: jobKey(id) })
        await queryClient.invalidateQueries({ queryKey: jobsKey })
      })
    },
  }
}

interface Opening {
  readonly rateLimit?: number
  readonly role?: Role
  readonly answers?: Answers
}

interface JobRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly key: string | null
  readonly body: unknown
}

/** The fake jobs' responses; undefined: not handled. */
function handleJobs(jobs: FakeJobs, { method, path, query, key, body }: JobRequest): unknown {
  const [, , , second = "", third = ""] = path.split("/")
  if (path === "/api/jobs/summary") return { active: 0, attention: 0 }
  if (method === "GET" && second === "") return success([], { next: null })
  if (method === "POST" && second === "repeats") return []
  if (method === "POST" && second === "") {
    const made = jobs.create(body, key)
    return made === "other-body"
      ? refusal(422, "conflict", "This key was used for something else.")
      : success(made, undefined, 201)
  }
  const stored = jobs.byId.get(second)
  if (stored === undefined) return refusal(404, "not_found", "No such job.")
  if (method === "GET" && third === "rows") {
    const state = query.get("state")
    const rows = stored.rows.filter((row) => state === null || row.state === state)
    return success(rows.slice(0, Number(query.get("per_page") ?? 25)), { page: 1, total: rows.length })
  }
  if (method === "POST" && third === "rows") {
    return jobs.append(second, addRowsBody.parse(body))
  }
  if (method === "POST" && third === "resume") return jobs.change(second, { state: "running", pause: null })
  if (method === "POST" && third === "cancel") return jobs.change(second, { state: "cancelled", pause: null })
  if (method === "POST" && third === "start") return jobs.change(second, { state: "running" })
  return method === "GET" && third === "" ? stored.job : undefined
}

const line = { group: "Q3 installer bonus", awarded: 9000, deducted: 0, awards: 12, deductions: 0 }
const returned = { group: "Returned unit", awarded: 0, deducted: 900, awards: 0, deductions: 3 }
const reversal = { ...returned, group: "Correction: Trade night", deductions: 5 }
const reasons = { rows: [line, returned, reversal], total: line }
