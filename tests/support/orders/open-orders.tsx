import { userEvent } from "@testing-library/user-event"
import { expect } from "vitest"
import { firstCarriers, type OrderAddress } from "../../../contract/orders.ts"
import type { Job } from "../../../contract/job.ts"
import type { JobRow } from "../../../contract/job-rows.ts"
import type { Order } from "../../../contract/program/order.ts"
import type { Role } from "../../../contract/roles.ts"
import { jobOf, rowOf } from "../ship/parcels.ts"
import { renderApp, sessionOf, type Handlers } from "../test-app.tsx"

/** A pending order as the list returns it: a drill kit for Ana, created on 18 November 2026. */
export function order(id: string, change: Partial<Order> = {}): Order {
  return {
    order_id: id,
    member_id: "mem_ana",
    reward_id: "rew_drill",
    reward_name: "Drill kit",
    points_spent: 9500,
    status: "pending",
    created_at: "2026-11-18T02:00:00Z",
    ...change,
  }
}

/** An order-update job as the server returns it. */
export const orderJob = (change: Parameters<typeof jobOf>[1] = {}): Job =>
  jobOf("J-1", {
    counts: { planned: 1 },
    created_by: { id: "user-manager", name: "Priya Nair" },
    ...change,
  })

/** A row of such a job; `input` is the requested change. */
export const orderJobRow = (input: Record<string, unknown>, change: Partial<JobRow> = {}): JobRow =>
  rowOf("planned", {
    input,
    sent_at: "2026-11-21T00:00:01Z",
    ended_at: "2026-11-21T00:00:02Z",
    ...change,
  })

/** An order without a recorded address. */
export const elsewhere = (id: string): OrderAddress => ({
  order_id: id,
  address: null,
  why_none: "not_redeemed_here",
  captured_at: null,
  removed_at: null,
  quantity: { pieces: 2, inferred: true },
})

interface Opening {
  readonly orders?: readonly Order[]
  readonly role?: Role
  /** Names by member id. */
  readonly names?: Readonly<Record<string, string>>
  /** Final state of the job's row. */
  readonly row?: Partial<JobRow>
  readonly handlers?: Handlers
}

/** The app at an address, with orders, names, carriers, and one order-update job. */
export function openOrders(address: string, opening: Opening = {}) {
  const { orders = [order("ord_1")], role = "manager", names = { mem_ana: "Ana Silva" } } = opening
  const sent: { body: { kind?: string; rows: Record<string, unknown>[] }; key: string | null }[] = []
  let made: { job: Job; row: JobRow } | undefined
  const opened = renderApp(address, {
    "GET /api/session": () => sessionOf(role),
    "GET /api/status/budget": () => [],
    "GET /api/audit": () => [],
    "GET /api/jobs": () => [],
    "GET /api/program/orders": ({ query }) => pageOf(orders, query),
    ...Object.fromEntries(orders.map((each) => [`GET /api/program/orders/${each.order_id}`, () => each])),
    ...Object.fromEntries(
      orders.map(({ order_id: id }) => [`GET /api/orders/${id}/address`, () => elsewhere(id)]),
    ),
    "GET /api/program/rewards": () => [{ id: "rew_drill", name: "Drill kit", type: "physical" }],
    "POST /api/members/names": ({ body }) => {
      const { ids } = body as { ids: string[] }
      return {
        names: ids.flatMap((id) => (names[id] === undefined ? [] : [{ id, name: names[id] }])),
        missing: [],
        coming: ids.filter((id) => names[id] === undefined),
      }
    },
    "GET /api/settings/carriers": () => firstCarriers,
    "GET /api/settings/sender": () => ({ address: "" }),
    "POST /api/carriers/recognise": ({ body }) => {
      const { numbers } = body as { numbers: string[] }
      return numbers.map((number) => ({
        number,
        carriers: ["auspost"],
        chosen: "auspost",
        why: "shape",
        link: null,
      }))
    },
    "POST /api/orders/used-numbers": () => ({
      used: [],
      looked: { rows: 0, since: null, orders: 0, oldest_order_copy: null },
    }),
    "POST /api/jobs": ({ body, headers }) => {
      const job = body as (typeof sent)[number]["body"]
      sent.push({ body: job, key: headers.get("Idempotency-Key") })
      const row = orderJobRow(job.rows[0] ?? {}, opening.row)
      const over = row.state !== "planned" && row.state !== "unknown"
      made = {
        row,
        job: orderJob({
          total: job.rows.length,
          counts: { [row.state]: 1 },
          state: over ? "done" : "running",
        }),
      }
      return Response.json({ success: true, data: made.job }, { status: 201 })
    },
    "GET /api/jobs/J-1": () => made?.job,
    "GET /api/jobs/J-1/rows": () =>
      Response.json({ success: true, data: [made?.row], meta: { page: 1, per_page: 1, total: 1 } }),
    ...opening.handlers,
  })
  return { ...opened, sent, user: userEvent.setup({ delay: null }) }
}

/** The request when `00912345` is entered as the tracking number of `ord_1`, which is pending. */
export const shippedByHand = {
  key: expect.any(String) as unknown,
  body: {
    kind: "order-update",
    rows: [
      {
        order_id: "ord_1",
        status: "shipped",
        tracking_number: "00912345",
        carrier: "Australia Post",
        expected: { status: "pending", tracking_number: null, carrier: null },
      },
    ],
  },
}

/** A page of the list as the service returns it: without a total. */
export function pageOf(orders: readonly Order[], query: URLSearchParams): Order[] {
  const page = Number(query.get("page") ?? 1)
  const perPage = Number(query.get("per_page") ?? 25)
  const status = query.get("status")
  const member = query.get("member_id")
  return orders
    .filter(
      (each) => (status === null || each.status === status) && (member === null || each.member_id === member),
    )
    .slice((page - 1) * perPage, page * perPage)
}
