import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import type { OrderReturnView } from "../../../contract/kinds/order-return.ts"
import type { Sandbox } from "../../../sandbox/app.ts"
import { ana, openPage } from "../../../tests/support/open-page.tsx"

const id = "ord_90001"

/** A pending order of Ana, of 9,500 points. */
function prepare({ store }: Sandbox): void {
  const [seeded] = store.orders.all
  if (seeded === undefined) throw new Error("The seed has no orders.")
  const parcel = { tracking: null, carrier: null, shipped: null, delivered: null }
  store.orders.put({ ...seeded, id, memberId: ana.id, points: 9500, status: "pending", ...parcel })
}

const view = (change: Partial<NonNullable<OrderReturnView>>): OrderReturnView => ({
  job: "J-7",
  row: 1,
  step: "decide",
  message: null,
  spent: 9500,
  entries: [],
  chosen: [],
  award: null,
  ...change,
})

const entry = (transaction_id: string, points: number, reason: string) => ({
  transaction_id,
  points,
  reason,
  created_at: null,
  type: "adjust",
  names_order: false,
})

test("an order is cancelled with two clicks, and its points are watched for", async () => {
  const { user, sandbox, bodies } = await openPage(`/orders/${id}`, { prepare })
  await user.click(await screen.findByRole("button", { name: "Cancel and return points…" }))
  const question = within(await screen.findByRole("dialog", { name: `Cancel ${id}?` }))
  expect(question.getByText(/whether the service returns 9,500 points by itself/)).toBeVisible()
  await user.click(question.getByRole("button", { name: "Cancel and return points" }))
  await waitFor(() => expect(sandbox.store.orders.get(id)?.status).toBe("cancelled"))
  expect(bodies("POST /api/jobs")).toMatchObject([
    { kind: "order-return", rows: [{ order_id: id, status: "cancelled", expected: { status: "pending" } }] },
  ])
  expect(await screen.findByText("Cancelled. Checking whether 9,500 points came back…")).toBeVisible()
})

test("missing points are returned with one click, and only once when the response is lost", async () => {
  let lost = true
  const { user, writes } = await openPage(`/orders/${id}`, {
    prepare,
    answers: {
      [`GET /api/orders/${id}/return`]: () => view({}),
      [`POST /api/orders/${id}/return`]: () => {
        if (!lost) return view({ step: "awarding", award: { job: "J-8", row: 1, points: 9500 } })
        lost = false
        return Response.json({ success: false, error: { code: "x", message: "x" } }, { status: 502 })
      },
    },
  })
  await user.click(await screen.findByRole("button", { name: "Return 9,500 points" }))
  expect(await screen.findByText(/not known whether Laurel took it/)).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Return 9,500 points" }))
  expect(await screen.findByText("Returning 9,500 points…")).toBeVisible()
  const sent = writes.filter(({ line }) => line.endsWith("/return"))
  expect(sent.map(({ body }) => body)).toEqual(sent.map(() => ({ entries: [], points: 9500 })))
  expect(new Set(sent.map(({ headers }) => headers.get("Idempotency-Key"))).size).toBe(1)
})

test("with several possible entries the person chooses, and the missing points follow", async () => {
  const entries = [entry("txn_1", 9000, "Refund"), entry("txn_2", 500, "Quiz")]
  const { user, bodies } = await openPage(`/orders/${id}`, {
    prepare,
    answers: {
      [`GET /api/orders/${id}/return`]: () => view({ entries }),
      [`POST /api/orders/${id}/return`]: () => view({ step: "returned", entries, chosen: ["txn_1"] }),
    },
  })
  expect(await screen.findByText("9,500 of 9,500 points missing")).toBeVisible()
  const returnAll = screen.getByRole("button", { name: "Return 9,500 points" })
  expect(returnAll).toBeDisabled()
  await user.click(screen.getByRole("checkbox", { name: "None of these" }))
  expect(returnAll).toBeEnabled()
  await user.click(screen.getByRole("checkbox", { name: /Refund/ }))
  expect(screen.getByText("500 of 9,500 points missing")).toBeVisible()
  await user.click(screen.getByRole("checkbox", { name: /Quiz/ }))
  await user.click(screen.getByRole("button", { name: "All points were returned" }))
  await waitFor(() =>
    expect(bodies(`POST /api/orders/${id}/return`)).toEqual([{ entries: ["txn_1", "txn_2"], points: 0 }]),
  )
})

test("a return after the award is shown as returned twice, with a way to reverse as much of the award", async () => {
  const award = { job: "J-8", row: 1, points: 9500 }
  const late = [entry("txn_1", 4000, "Refund"), entry("txn_2", 9500, "Refund")]
  const { user, bodies } = await openPage(`/orders/${id}`, {
    prepare,
    answers: {
      [`GET /api/orders/${id}/return`]: () => view({ step: "twice", entries: late, award }),
      [`POST /api/orders/${id}/return`]: () => view({ step: "reversed", award: { ...award, points: 4000 } }),
    },
  })
  expect(await screen.findByText("Returned twice?")).toBeVisible()
  expect(screen.getByRole("button", { name: "None of these: keep the award" })).toBeVisible()
  await user.click(screen.getByRole("checkbox", { name: "+4,000, Refund" }))
  await user.click(screen.getByRole("button", { name: "Reverse 4,000 points" }))
  expect(await screen.findByText("Returned once: 4,000 points reversed")).toBeVisible()
  expect(bodies(`POST /api/orders/${id}/return`)).toEqual([{ entries: ["txn_1"], points: 4000 }])
})

test("viewers see the return of an order's points, and can't cancel it", async () => {
  const { requests } = await openPage(`/orders/${id}`, { prepare, as: "viewer" })
  const button = await screen.findByRole("button", { name: "Cancel and return points…" })
  expect(button).toHaveAttribute("aria-disabled", "true")
  await waitFor(() => expect(requests).toContain(`GET /api/orders/${id}/return`))
})

test("packers don't see the return of an order's points", async () => {
  const { requests } = await openPage(`/orders/${id}`, { prepare, as: "fulfilment" })
  await screen.findByRole("heading", { level: 1, name: id })
  expect(requests).not.toContain(`GET /api/orders/${id}/return`)
})

test("an order that an update cancelled offers to check its points", async () => {
  const { user, bodies } = await openPage(`/orders/${id}`, {
    prepare(sandbox) {
      prepare(sandbox)
      const order = sandbox.store.orders.get(id)
      if (order !== undefined) sandbox.store.orders.put({ ...order, status: "cancelled" })
    },
    answers: { [`GET /api/orders/${id}/return`]: () => view({ step: "cancelled", spent: null }) },
  })
  expect(screen.queryByRole("button", { name: "Cancel and return points…" })).not.toBeInTheDocument()
  await user.click(await screen.findByRole("button", { name: "Check points…" }))
  const question = within(await screen.findByRole("dialog", { name: `Check the points of ${id}?` }))
  expect(question.getByText(/aren’t counted: look at the member’s ledger first/)).toBeVisible()
  await user.click(question.getByRole("button", { name: "Check points" }))
  await waitFor(() =>
    expect(bodies("POST /api/jobs")).toMatchObject([
      {
        kind: "order-return",
        rows: [{ order_id: id, status: "cancelled", expected: { status: "cancelled" } }],
      },
    ]),
  )
})
