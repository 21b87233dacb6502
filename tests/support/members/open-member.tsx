import { QueryClientProvider, type QueryClient } from "@tanstack/react-query"
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router"
import { render } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { vi } from "vitest"
import type { Role } from "../../../contract/roles.ts"
import { makeQueryClient } from "../../../src/api/request.ts"
import { makeRouter } from "../../../src/router.tsx"
import { sessionOf } from "../test-app.tsx"

// jsdom has no layout, so the chart is replaced; only its input is tested.
vi.mock("../../../src/features/members/ledger/balance-chart.tsx", () => ({
  BalanceChart: ({ steps }: { steps: readonly unknown[] }) => <p>Chart of {steps.length} steps</p>,
}))

/** A request received by the test's server. */
interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly query: Record<string, string>
  readonly headers: Headers
  readonly body: unknown
}

/** Handlers by `METHOD path`: data for a 200, or a `Response`. */
export type Answers = Record<string, (met: ReceivedRequest) => unknown>

/** A success with optional meta. */
export function success(data: unknown, meta?: unknown): Response {
  return Response.json({ success: true, data, ...(meta === undefined ? {} : { meta }) })
}

/** An error response with optional details. */
export function refusal(status: number, code: string, message: string, details?: unknown): Response {
  const error = { code, message, requestId: "r-1", ...(details === undefined ? {} : { details }) }
  return Response.json({ success: false, error }, { status })
}

/** Ana as the service returns her. */
export const ana = {
  id: "mem_ana",
  email: "ana.silva@coastal.test",
  first_name: "Ana",
  last_name: "Silva",
  company: "Coastal Climate Co",
  phone: "+61 7 5447 0182",
  points_balance: 12480,
  tier: "Gold",
  status: "active",
  metadata: { region: "Sunshine Coast", visits: 12 },
  created_at: "2022-03-03T00:00:00Z",
  updated_at: "2026-11-20T00:00:00Z",
}

/** `count` ledger rows, newest first, each a day older with 10 points less. */
export function ledgerRows(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    transaction_id: `txn_${index}`,
    member_id: ana.id,
    type: index % 2 === 0 ? "award" : "redeem",
    points: 10,
    reason: `Row ${index}`,
    balance_after: 12480 - index * 10,
    created_at: new Date(Date.now() - (index + 1) * 86_400_000).toISOString(),
  }))
}

const path = `/api/program/members/${ana.id}`

/** Handlers without any failure. */
const defaultAnswers: Answers = {
  "GET /api/status/budget": () => [],
  "GET /api/jobs/summary": () => ({ active: 0, attention: 0 }),
  "GET /api/notices": () => [],
  "GET /api/notices/unread": () => ({ unread: 0 }),
  [`GET ${path}`]: () => ana,
  [`GET ${path}/balance`]: () => ({
    member_id: ana.id,
    balance: 12480,
    pending: 600,
    lifetime_earned: 48200,
    lifetime_redeemed: 35720,
  }),
  [`GET ${path}/transactions`]: () => success(ledgerRows(2), { page: 1, per_page: 25, total: 2 }),
  "POST /api/ledger/origins": () => [],
  "GET /api/program/members": () => success([], { page: 1, per_page: 25, total: 0 }),
  [`GET /api/notes/member/${ana.id}`]: () => ({
    kind: "member",
    id: ana.id,
    text: "Prefers e-mail.",
    version: 3,
    saved_at: "2026-11-20T00:00:00Z",
    saved_by: "Priya Nair",
  }),
}

interface Opening {
  /** Fills the query cache before the page opens. */
  readonly seed?: (queryClient: QueryClient) => void
  readonly role?: Role
  readonly answers?: Answers
}

/**
 * The app at an address, with `answers` as its server. An unhandled request fails the test. `met`: every request to
 * the program service and the notes, in order.
 */
export function openMember(address: string, { role = "admin", answers = {}, seed }: Opening = {}) {
  const met: ReceivedRequest[] = []
  const all: Answers = { "GET /api/session": () => sessionOf(role), ...defaultAnswers, ...answers }
  vi.stubGlobal("fetch", async (requestUrl: string, init: RequestInit) => {
    const url = new URL(requestUrl, "http://app.test")
    const one: ReceivedRequest = {
      method: init.method ?? "GET",
      path: decodeURIComponent(url.pathname),
      query: Object.fromEntries(url.searchParams),
      headers: new Headers(init.headers),
      body: typeof init.body === "string" ? JSON.parse(init.body) : undefined,
    }
    if (/^\/api\/(program|notes)\//.test(one.path)) met.push(one)
    const answer = all[`${one.method} ${one.path}`]
    if (answer === undefined) {
      // oxlint-disable-next-line no-console -- fails the test, see tests/support/setup-node.ts
      console.error(`Nobody answers ${one.method} ${one.path}.`)
      return refusal(500, "internal", "No.")
    }
    const said = await answer(one)
    return said instanceof Response ? said : success(said)
  })
  const queryClient = makeQueryClient()
  seed?.(queryClient)
  const router = makeRouter(queryClient, createMemoryHistory({ initialEntries: [address] }))
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return {
    router,
    queryClient,
    met,
    user: userEvent.setup({ delay: null }),
    /** The requests with this method, in order. */
    sent: (method: string) => met.filter((one) => one.method === method),
  }
}
