import { QueryClientProvider } from "@tanstack/react-query"
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router"
import { render } from "@testing-library/react"
import { vi } from "vitest"
import { type AmountLimits, firstAmountLimits, type LimitsToday } from "../../contract/amount-limits.ts"
import { grantOf, permissions, type Permission, type Role } from "../../contract/roles.ts"
import { makeQueryClient } from "../../src/api/request.ts"
import { makeRouter } from "../../src/router.tsx"

/** Returns the data of a 200, or a `Response`. */
type Handler = (request: {
  query: URLSearchParams
  body: unknown
  headers: Headers
  signal: AbortSignal | null | undefined
}) => unknown

/** Handlers by `METHOD path`, such as `GET /api/session`. */
export type Handlers = Readonly<Record<string, Handler>>

/** Requests that every page makes; a test may override them. */
const quiet: Handlers = {
  "GET /api/jobs/summary": () => ({ active: 0, attention: 0 }),
  "GET /api/notices": () => [],
  "GET /api/notices/unread": () => ({ unread: 0 }),
  "GET /api/limits": () => limitsOf(),
}

/** Empty lists for the palette. */
export const emptyLists: Handlers = {
  "GET /api/rewards": () => [],
  "GET /api/program/leaderboards": () => [],
}

/** Amount limits, and what the user has started today. */
export function limitsOf(changes: Partial<AmountLimits> = {}, used: Partial<LimitsToday["used"]> = {}) {
  return {
    limits: { ...firstAmountLimits, ...changes },
    used: { points: 0, card_cents: 0, ...used },
  } satisfies LimitsToday
}

/** The session of a role. */
export function sessionOf(role: Role) {
  const granted = (Object.keys(permissions) as Permission[]).map((name) => [name, grantOf(role, name)])
  return {
    user: { id: `user-${role}`, name: "Priya Nair", email: `${role}@laurel.demo`, role },
    permissions: Object.fromEntries(granted) as Record<string, string>,
    environment: "sandbox",
    program: { name: "Program", time_zone: "Australia/Brisbane", currency: "AUD" },
  }
}

/** An error response. */
export function refusal(status: number, code: string, headers: HeadersInit = {}, details?: object) {
  return Response.json(
    { success: false, error: { code, message: "No.", requestId: "r-1", details } },
    { status, headers },
  )
}

/**
 * The app at an address, with `handlers` as its server. An unhandled request fails the test. Returns every request
 * made.
 */
export function renderApp(address: string, handlers: Handlers) {
  const requests: string[] = []
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    const url = new URL(path, "http://app.test")
    const name = `${init.method} ${url.pathname}`
    requests.push(`${init.method} ${path}`)
    const handler = handlers[name] ?? quiet[name]
    if (handler === undefined) {
      // oxlint-disable-next-line no-console -- fails the test, see tests/support/setup-node.ts
      console.error(`Nobody handles ${name}.`)
      return refusal(500, "internal")
    }
    const body: unknown = typeof init.body === "string" ? JSON.parse(init.body) : undefined
    const { signal } = init
    const headers = new Headers(init.headers)
    const answer = await handler({ query: url.searchParams, body, headers, signal })
    return answer instanceof Response ? answer : Response.json({ success: true, data: answer })
  })
  return { ...renderAt(address), requests }
}

/** Renders the app at an address, with an empty query cache. */
export function renderAt(address: string) {
  const queryClient = makeQueryClient()
  const router = makeRouter(queryClient, createMemoryHistory({ initialEntries: [address] }))
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return { router, queryClient }
}
