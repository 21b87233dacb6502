import { userEvent } from "@testing-library/user-event"
import { expect } from "vitest"
import { firstCarriers, type OrderAddress } from "../../../contract/orders.ts"
import type { Job } from "../../../contract/job.ts"
import type { JobRow } from "../../../contract/job-rows.ts"
import { isWaiting, type Order, withShipment } from "../../../contract/program/order.ts"
import type { Role } from "../../../contract/roles.ts"
import { synced } from "../members/made-up-list.ts"
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
  /** The list's `meta` about the local copy; complete by default. */
  readonly state?: object | undefined
  /** Final state of the job's row. */
  readonly row?: Partial<JobRow>
  readonly handlers?: Handlers
}

/** The app at an address, with orders, names, carriers, and one order-update job. */
export function openOrders(address: string, opening: Opening = {}) {
  const { orders = [order("ord_1")], role = "manager", names = { mem_ana: "Ana Silva" } } = opening
  const sent: { body: { kind?: string; rows: Record<string, unknown>[] }; key: string | null }[] = []
  let made: { job: Job; row: JobRow } | undefined
  const held = [...orders]
  const opened = renderApp(address, {
    "GET /api/session": () => sessionOf(role),
    "GET /api/status/budget": () => [],
    "GET /api/audit": () => [],
    "GET /api/jobs": () => [],
    ...ordersServer(held, { names, state: opening.state }),
    ...Object.fromEntries(orders.map((each) => [`GET /api/program/orders/${each.order_id}`, () => each])),
    ...Object.fromEntries(
      orders.map(({ order_id: id }) => [`GET /api/orders/${id}/address`, () => elsewhere(id)]),
    ),
    ...Object.fromEntries(orders.map(({ order_id: id }) => [`GET /api/orders/${id}/return`, () => null])),
    "GET /api/rewards": () => [{ id: "rew_drill", name: "Drill kit", type: "physical" }],
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
      const changed = held.findIndex((each) => each.order_id === job.rows[0]?.["order_id"])
      const before = held[changed]
      if (before !== undefined && row.state === "confirmed")
        held[changed] = withShipment(before, job.rows[0] ?? {})
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

/** A server that pages, filters and counts these orders; `state`: of its local copy. */
export function ordersServer(
  orders: readonly Order[],
  of: { readonly names?: Readonly<Record<string, string>>; readonly state?: object | undefined } = {},
): Handlers {
  const { names = {}, state = synced } = of
  const matching = (query: URLSearchParams) => {
    const words = (query.get("search") ?? "").toLowerCase().split(" ")
    const parameters = [
      ["member_id", "member_id"],
      ["reward_id", "reward_id"],
    ] as const
    return orders.filter((each) => {
      const text = [each.order_id, each.reward_name, each.tracking_number, names[each.member_id ?? ""]].join(
        " ",
      )
      return (
        words.every((word) => text.toLowerCase().includes(word)) &&
        parameters.every(([name, field]) => (query.get(name) ?? each[field]) === each[field]) &&
        (query.get("type") ?? each.fulfillment?.type) === each.fulfillment?.type
      )
    })
  }
  const isToShip = (order: Order) => isWaiting(order.status) && order.fulfillment?.type !== "digital"
  const hasStatus = (status: string | null) => (order: Order) =>
    status === null || (status === "to-ship" ? isToShip(order) : order.status === status)
  return {
    "GET /api/orders": ({ query }) => {
      const [page, perPage] = [Number(query.get("page") ?? 1), Number(query.get("per_page") ?? 25)]
      const matches = matching(query).filter(hasStatus(query.get("status")))
      if (query.get("status") === "to-ship")
        matches.sort((one, other) => ((one.created_at ?? "") < (other.created_at ?? "") ? -1 : 1))
      if (query.get("sort") === "-points_spent")
        matches.sort((one, other) => (other.points_spent ?? 0) - (one.points_spent ?? 0))
      const total = state === synced ? { total: matches.length } : {}
      return Response.json({
        success: true,
        data: matches.slice((page - 1) * perPage, page * perPage),
        meta: { page, per_page: perPage, ...total, ...state },
      })
    },
    "GET /api/orders/facets": ({ query }) => {
      const rows = matching(query)
      const statuses = [...Map.groupBy(rows, ({ status }) => status ?? "")]
      const rewards = [...Map.groupBy(rows, ({ reward_id }) => reward_id ?? "")]
      return Response.json({
        success: true,
        data: {
          statuses: statuses.map(([value, { length }]) => ({ value, count: length })),
          to_ship: rows.filter(isToShip).length,
          rewards: rewards.map(([id, of]) => ({ id, name: of[0]?.reward_name ?? "", count: of.length })),
        },
        meta: state,
      })
    },
  }
}
