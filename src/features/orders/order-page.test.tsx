import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { hiddenValue } from "../../../contract/redaction.ts"
import { refusal } from "../../../tests/support/test-app.tsx"
import {
  elsewhere,
  openOrders,
  order,
  orderJob,
  orderJobRow,
} from "../../../tests/support/orders/open-orders.tsx"
import { fill } from "../../../tests/support/open-page.tsx"

const title = (name: string) => screen.findByRole("heading", { level: 1, name })

const address = {
  name: "Ana Silva",
  line1: "14 Reef St",
  city: "Noosa Heads",
  state: "QLD",
  postal_code: "4567",
  country: "AU",
}

test("order page shows reward, recipient, parcel link and that the quantity is inferred", async () => {
  openOrders("/orders/ord_1", {
    orders: [order("ord_1", { status: "shipped", tracking_number: "0091", carrier: "australia post" })],
  })
  await title("ord_1")
  const facts = within(screen.getByRole("complementary", { name: "Facts" }))
  expect(await facts.findByRole("link", { name: "Ana Silva" })).toHaveAttribute("href", "/members/mem_ana")
  expect(facts.getByRole("link", { name: "Drill kit" })).toHaveAttribute("href", "/rewards/rew_drill")
  expect(await screen.findByRole("link", { name: "Track at Australia Post" })).toHaveAttribute(
    "href",
    "https://auspost.com.au/mypost/track/details/0091",
  )
  expect(await screen.findByText("(estimated from points)")).toBeVisible()
  expect(facts.getByText(/not redeemed with Laurel/)).toBeVisible()
})

test("a captured address is shown to roles that ship, and requested for no other role", async () => {
  const opening = {
    handlers: {
      "GET /api/orders/ord_1/address": () => ({
        ...elsewhere("ord_1"),
        address,
        why_none: null,
        captured_at: "2026-11-18T02:00:00Z",
        quantity: { pieces: 1, inferred: false },
      }),
    },
  }
  const { requests } = openOrders("/orders/ord_1", { ...opening, role: "fulfilment" })
  expect(await screen.findByText("14 Reef St")).toBeVisible()
  expect(screen.getByText("Redeemed with Laurel")).toBeVisible()
  expect(requests).toContain("GET /api/orders/ord_1/address")
})

test("a viewer sees the order without its address or actions", async () => {
  const { requests } = openOrders("/orders/ord_1", { role: "viewer" })
  await title("ord_1")
  expect(screen.getByText("Not shown to your role.")).toBeVisible()
  expect(requests.some((line) => line.endsWith("/address"))).toBe(false)
  const change = screen.getByText("Change status or tracking").closest("a, button")
  expect(change).toHaveAttribute("aria-disabled", "true")
})

/** An entry of the audit log about the order. */
const audited = {
  id: "a-1",
  at: "2026-11-19T00:00:00Z",
  actor: { id: "u", name: "Jo Park", role: "fulfilment" },
  action: "order.update",
  area: "program",
  on: { kind: "order", id: "ord_1", label: null },
  outcome: "done",
  note: null,
  request_id: "r",
}

test("history combines dates, audit log and jobs of several orders, newest first", async () => {
  const changes = [
    { field: "status", from: "pending", to: "processing" },
    { field: "job", from: null, to: "J-5" },
  ]
  openOrders("/orders/ord_1", {
    orders: [order("ord_1", { status: "on_hold", shipped_at: "2026-11-20T00:00:00Z" })],
    handlers: {
      "GET /api/audit": () => [{ ...audited, changes }],
      "GET /api/jobs": ({ query }) =>
        query.get("kind") === "order-update" ? [orderJob({ id: "J-9", total: 40, state: "done" })] : [],
      "GET /api/jobs/J-9/rows": () => [
        orderJobRow(
          { order_id: "ord_1", tracking_number: "0091", expected: { tracking_number: null } },
          { state: "confirmed", ended_at: "2026-11-21T00:00:00Z" },
        ),
        orderJobRow({ order_id: "ord_10", status: "shipped" }, { row: 2, state: "confirmed" }),
      ],
    },
  })
  await title("ord_1")
  expect(screen.getAllByText("on_hold")).not.toHaveLength(0)
  const history = within(screen.getByRole("region", { name: "History" }))
  expect(await history.findByText("Tracking number 0091")).toBeVisible()
  const words = history.getAllByRole("listitem").map((item) => item.textContent ?? "")
  expect(
    words.map((text) => /^(Tracking number 0091|Shipped|Pending to Processing|Ordered)/.exec(text)?.[0]),
  ).toEqual(["Tracking number 0091", "Shipped", "Pending to Processing", "Ordered"])
  expect(history.getByRole("link", { name: "J-9" })).toHaveAttribute("href", "/jobs/J-9")
})

test("history names the cancellation of an order whose points are returned", async () => {
  const changes = [{ field: "status", from: "pending", to: "cancelled" }]
  const cancelled = { ...audited, action: "order.return", changes }
  openOrders("/orders/ord_1", {
    orders: [order("ord_1", { status: "cancelled" })],
    handlers: { "GET /api/audit": () => [cancelled] },
  })
  await title("ord_1")
  const history = within(screen.getByRole("region", { name: "History" }))
  expect(await history.findByText("Pending to Cancelled")).toBeVisible()
})

test("a delivery at the time of the order is listed above it", async () => {
  const at = "2026-11-20T01:00:00Z"
  openOrders("/orders/ord_1", {
    orders: [order("ord_1", { created_at: at, fulfillment: { type: "digital", delivered_at: at } })],
  })
  await title("ord_1")
  const history = within(screen.getByRole("region", { name: "History" }))
  await history.findByText("Delivered")
  const words = history.getAllByRole("listitem").map(({ textContent }) => textContent?.split("from")[0])
  expect(words).toEqual(["Delivered", "Ordered"])
})

test("a digital code is masked, revealed with a reason, and not cached", async () => {
  const { queryClient, user } = openOrders("/orders/ord_1", {
    orders: [order("ord_1", { status: "completed", fulfillment: { type: "digital" } })],
    handlers: {
      "POST /api/orders/ord_1/reveal": ({ body }) => {
        expect(body).toEqual({ reason: "Ana lost the e-mail" })
        return { order_id: "ord_1", code: "SECRET-77", why_none: null, message: null, seen: "order" }
      },
    },
  })
  await title("ord_1")
  await user.click(await screen.findByRole("button", { name: "Reveal" }))
  await fill(user, screen.getByLabelText("Reason for revealing"), "Ana lost the e-mail")
  await user.click(screen.getByRole("button", { name: "Reveal the code" }))
  expect(await screen.findByText("SECRET-77")).toBeVisible()
  const cache = JSON.stringify(
    queryClient
      .getQueryCache()
      .getAll()
      .map(({ state }) => state.data),
  )
  expect(cache).not.toContain("SECRET-77")
  await user.click(screen.getByRole("button", { name: "Hide" }))
  expect(screen.queryByText("SECRET-77")).not.toBeInTheDocument()
})

test("undocumented fields are shown as sent; a hidden one names who can see it", async () => {
  const fulfillment = { type: "digital", batch: "B-7", pin: hiddenValue }
  const sent: object = { ...order("ord_1"), fulfillment, x_note: "hold" }
  openOrders("/orders/ord_1", { handlers: { "GET /api/program/orders/ord_1": () => sent } })
  await title("ord_1")
  const heading = screen.getByRole("heading", { name: "Other fields" })
  expect(heading).toBeVisible()
  for (const text of ["x_note", "hold", "B-7", "Shown to administrators only"])
    expect(screen.getByText(text)).toBeVisible()
  expect(screen.queryByText(hiddenValue)).not.toBeInTheDocument()
})

test("an unknown order shows that it does not exist", async () => {
  openOrders("/orders/ord_9", {
    handlers: {
      "GET /api/program/orders/ord_9": () => refusal(404, "not_found"),
      "GET /api/orders/ord_9/address": () => elsewhere("ord_9"),
    },
  })
  expect(await screen.findByText("No order has the id ord_9")).toBeVisible()
})

test("undocumented extra fields are shown as received", async () => {
  openOrders("/orders/ord_1", {
    orders: [
      Object.assign(order("ord_1"), { warehouse: "BNE-2", fulfillment: { type: "physical", depot: 7 } }),
    ],
  })
  await title("ord_1")
  await waitFor(() => expect(screen.getByText("warehouse")).toBeVisible())
  expect(screen.getByText("BNE-2")).toBeVisible()
  expect(screen.getByText("depot")).toBeVisible()
})
