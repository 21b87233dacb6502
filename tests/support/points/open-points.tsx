import { QueryClientProvider } from "@tanstack/react-query"
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router"
import { act, render } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { vi } from "vitest"
import { addRowsBody } from "../../../contract/job.ts"
import type { Member } from "../../../contract/program/member.ts"
import type { Role } from "../../../contract/roles.ts"
import { jobKey, jobsKey } from "../../../src/api/jobs.ts"
import { makeQueryClient } from "../../../src/api/request.ts"
import { makeRouter } from "../../../src/router.tsx"
import { limitsOf, sessionOf } from "../test-app.tsx"
import { FakeJobs } from "./fake-jobs.ts"

/** A request received by the test's server. */
interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly key: string | null
  readonly body: unknown
}

/** Handlers by `METHOD path` that override the fake's own: data for a 200, or a `Response`. */
export type Answers = Record<string, (met: ReceivedRequest) => unknown>

/** A member as the service returns it. */
function memberNamed(first: string, last: string, points: number): Member {
  const id = `mem_${first.toLowerCase()}`
  return {
    id,
    email: `${first.toLowerCase()}@coastal.test`,
    first_name: first,
    last_name: last,
    company: "Coastal Climate Co",
    points_balance: points,
    tier: "Gold",
    status: "active",
    created_at: "2025-01-01T00:00:00Z",
    updated_at: "2026-11-01T00:00:00Z",
  }
}

const people = [
  memberNamed("Ana", "Silva", 12480),
  memberNamed("Bec", "Hargreaves", 300),
  memberNamed("Chinedu", "Okafor", 4000),
]

/** A success with optional meta. */
function success(data: unknown, meta?: unknown, status = 200): Response {
  return Response.json({ success: true, data, ...(meta === undefined ? {} : { meta }) }, { status })
}

/** An error response with optional details. */
export function refusal(status: number, code: string, message: string, details?: unknown): Response {
  const error = { code, message, requestId: "r-1", ...(details === undefined ? {} : { details }) }
  return Response.json({ success: false, error }, { status })
}

/** The app at an address, with a server that has jobs and members. An unhandled request fails the test. */
export function openPoints(address: string, { role = "manager", answers = {} }: Opening = {}) {
  const jobs = new FakeJobs()
  const met: ReceivedRequest[] = []
  const own = ownAnswers(jobs, role)
  vi.stubGlobal("fetch", async (requestUrl: string, init: RequestInit) => {
    const url = new URL(requestUrl, "http://app.test")
    const one: ReceivedRequest = {
      method: init.method ?? "GET",
      path: decodeURIComponent(url.pathname),
      query: url.searchParams,
      key: new Headers(init.headers).get("Idempotency-Key"),
      body: typeof init.body === "string" ? JSON.parse(init.body) : undefined,
    }
    met.push(one)
    const answer = answers[`${one.method} ${one.path}`]
    const result = answer === undefined ? own(one) : await answer(one)
    if (result === undefined) {
      // oxlint-disable-next-line no-console -- fails the test, see tests/support/setup-node.ts
      console.error(`Nobody answers ${one.method} ${one.path}.`)
      return refusal(500, "internal", "No.")
    }
    return result instanceof Response ? result : success(result)
  })
  const queryClient = makeQueryClient()
  const router = makeRouter(queryClient, createMemoryHistory({ initialEntries: [address] }))
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return {
    router,
    queryClient,
    jobs,
    met,
    user: userEvent.setup({ delay: null }),
    posted: (path: string) => met.filter((one) => one.method === "POST" && one.path === path),
    /** Invalidates queries as a job event does. */
    notifyChange: async (id: string) => {
      await act(async () => {
        await queryClient.invalidateQueries({ queryKey: jobKey(id) })
        await queryClient.invalidateQueries({ queryKey: jobsKey })
      })
    },
  }
}

interface Opening {
  readonly role?: Role
  readonly answers?: Answers
}

/** The fake server's own responses; undefined: not handled. */
function ownAnswers(jobs: FakeJobs, role: Role) {
  return ({ method, path, query, key, body }: ReceivedRequest): unknown => {
    const [, , first = "", second = "", third = "", fourth = ""] = path.split("/")
    if (path === "/api/session") return sessionOf(role)
    if (path === "/api/settings/points") return { batch_code: true }
    if (path === "/api/limits") return limitsOf()
    if (path === "/api/status/budget") return []
    if (path === "/api/reports/points") return reasons
    if (path === "/api/notices/unread") return { unread: 0 }
    if (path === "/api/members/names") return { names: [], missing: [], coming: [] }
    if (path === "/api/jobs/summary") return { active: 0, attention: 0 }
    if (first === "program" && third === "") {
      const search = (query.get("search") ?? "").toLowerCase()
      const found = people.filter(({ first_name, email }) =>
        `${first_name} ${email}`.toLowerCase().includes(search),
      )
      return success(found, { page: 1, per_page: 25, total: found.length })
    }
    if (first === "program") {
      const member = people.find(({ id }) => id === third)
      if (member === undefined) return refusal(404, "not_found", "Member not found.")
      if (fourth === "balance") {
        const { id, points_balance: balance } = member
        return { member_id: id, balance, pending: 0, lifetime_earned: 48200, lifetime_redeemed: 35720 }
      }
      return fourth === "" ? member : success([], { page: 1, per_page: 25, total: 0 })
    }
    if (first !== "jobs") return undefined
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
    if (method === "POST" && third === "cancel")
      return jobs.change(second, { state: "cancelled", pause: null })
    if (method === "POST" && third === "start") return jobs.change(second, { state: "running" })
    return method === "GET" && third === "" ? stored.job : undefined
  }
}

const line = { group: "Q3 installer bonus", awarded: 9000, deducted: 0, awards: 12, deductions: 0 }
const returned = { group: "Returned unit", awarded: 0, deducted: 900, awards: 0, deductions: 3 }
const reversal = { ...returned, group: "Correction: Trade night", deductions: 5 }
const reasons = { rows: [line, returned, reversal], total: line }
