import { screen, waitFor } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { expect } from "vitest"
import { firstCarriers } from "../../../contract/orders.ts"
import type { JobRow } from "../../../contract/job-rows.ts"
import type { Role } from "../../../contract/roles.ts"
import { renderApp, sessionOf, type Handlers } from "../test-app.tsx"
import { synced } from "../members/made-up-list.ts"
import { jobOf, rowOf } from "../ship/parcels.ts"

const order = (number: number, change: object = {}) => ({
  order_id: `ord_${number}`,
  member_id: "mem_ana",
  reward_id: "rew_drill",
  reward_name: `Drill ${number}`,
  points_spent: 9500,
  status: "pending",
  created_at: "2026-11-18T00:00:00Z",
  ...change,
})

interface Opening {
  readonly role?: Role
  /** Pending orders; three by default. */
  readonly pending?: readonly object[]
  /** State of each row; confirmed by default. */
  readonly row?: (input: Record<string, unknown>) => Partial<JobRow>
  readonly handlers?: Handlers
}

/** The ship desk with a small queue, and a server that adds a row per parcel to an open job. */
export async function openShip({ role = "fulfilment", pending, row, handlers }: Opening = {}) {
  const made: { key: string | null; of: string | null; input: Record<string, unknown> }[] = []
  const rowAt = (number: number) => {
    const input = made[number - 1]?.input ?? {}
    return rowOf("confirmed", { row: number, input, ...row?.(input) })
  }
  const opened = renderApp("/orders/ship", {
    "GET /api/session": () => sessionOf(role),
    "GET /api/status/budget": () => [],
    "GET /api/orders": () => {
      const data = pending ?? [order(1), order(2), order(3)]
      return Response.json({
        success: true,
        data,
        meta: { page: 1, per_page: 100, total: data.length, ...synced },
      })
    },
    ...Object.fromEntries(
      [1, 2, 3].map((each) => [
        `GET /api/program/orders/ord_${each}`,
        () => pending?.find((one) => Reflect.get(one, "order_id") === `ord_${each}`) ?? order(each),
      ]),
    ),
    "GET /api/program/orders/ord_9": () => order(9, { status: "cancelled" }),
    "GET /api/rewards": () =>
      Response.json({ success: true, data: [], meta: { page: 1, per_page: 100, total: 0 } }),
    "POST /api/members/names": () => ({
      names: [{ id: "mem_ana", name: "Ana Silva" }],
      missing: [],
      coming: [],
    }),
    "GET /api/orders/shipped-today": () => ({ since: "2026-11-18T00:00:00Z", orders: [] }),
    "GET /api/orders/claims": () => [],
    ...Object.fromEntries(
      [1, 2, 3, 9].flatMap((each) =>
        ["PUT", "DELETE"].map((method) => [
          `${method} /api/orders/ord_${each}/claim`,
          () => new Response(null, { status: 204 }),
        ]),
      ),
    ),
    "GET /api/settings/carriers": () => firstCarriers,
    "POST /api/carriers/recognise": ({ body }) => [recognised(body)],
    "POST /api/orders/used-numbers": () => ({
      used: [],
      looked: { rows: 0, since: null, orders: 0, oldest_order_copy: null },
    }),
    ...Object.fromEntries(
      [1, 2, 3].map((each) => [`GET /api/orders/ord_${each}/address`, () => address(each)]),
    ),
    "POST /api/jobs": ({ body, headers }) => {
      const [key, of] = [headers.get("Idempotency-Key"), headers.get("X-Laurel-User")]
      made.push({ key, of, input: firstRow(body) })
      return { ...jobOf("J-1"), row: made.length }
    },
    "GET /api/jobs/J-1": () => jobOf("J-1", { created_by: { id: `user-${role}`, name: "" } }),
    "GET /api/jobs/J-1/rows": ({ query }) => {
      const data = [rowAt(Number(query.get("page")))]
      return Response.json({ success: true, data, meta: { page: 1, per_page: 1, total: made.length } })
    },
    ...Object.fromEntries([1, 2, 3].map((each) => [`GET /api/jobs/J-1/rows/${each}`, () => rowAt(each)])),
    ...handlers,
  })
  await screen.findByRole("heading", { level: 1, name: "Ship desk" })
  return { ...opened, made, user: userEvent.setup({ delay: null }) }
}

function address(number: number) {
  return {
    order_id: `ord_${number}`,
    address: {
      name: "Ana Silva",
      line1: "18 Ingham Road",
      city: "West End",
      postal_code: "4810",
      country: "AU",
    },
    why_none: null,
    captured_at: "2026-11-18T00:00:00Z",
    removed_at: null,
    quantity: { pieces: 2, inferred: true },
  }
}

function recognised(body: unknown) {
  const number = String(textsOf(body, "numbers")[0])
  const sure = number.startsWith("RB")
  return {
    number,
    carriers: sure ? ["auspost"] : [],
    chosen: sure ? "auspost" : null,
    why: sure ? "shape" : "unknown",
    link: null,
  }
}

function textsOf(body: unknown, name: string): unknown[] {
  const texts: unknown = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined
  return Array.isArray(texts) ? texts : []
}

function firstRow(body: unknown): Record<string, unknown> {
  const [row] = textsOf(body, "rows")
  return typeof row === "object" && row !== null ? { ...row } : {}
}

/** The ship desk's input, by its current label. */
export const field = (name: string) => screen.findByRole("textbox", { name })

/** Waits until the queue of three is loaded and the input has focus. */
export async function ready(): Promise<void> {
  await screen.findByText("3, oldest first")
  await waitFor(() => expect(document.activeElement?.matches("main input")).toBe(true))
}
