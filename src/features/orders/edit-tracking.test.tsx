import { act, screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { refusal } from "../../../tests/support/test-app.tsx"
import { openOrders, order, shippedByHand } from "../../../tests/support/orders/open-orders.tsx"
// Preloaded, so that no test waits for the code to load.
import "./edit-tracking.tsx"

const field = () => screen.findByLabelText(/^Tracking number/)
const link = (id: string) => screen.findByRole("link", { name: id })
const editor = (id = "ord_1") => screen.queryByRole("dialog", { name: `Edit the tracking number of ${id}` })
const shipped = order("ord_1", { status: "shipped", tracking_number: "0091", carrier: "StarTrack" })
const confirmed = { state: "confirmed", upstream_id: "ord_1", known_by: "answer" } as const

/** The list with the editor of its first row open by keyboard. */
async function openByKey(opening: Parameters<typeof openOrders>[1] = {}) {
  const opened = openOrders("/orders", opening)
  await link("ord_1")
  await opened.user.keyboard("je")
  const input = await field()
  expect(input).toHaveFocus()
  return { ...opened, input }
}

test("tracking editor ships an order by keyboard: Enter sends without waiting, the carrier is looked up first", async () => {
  const { sent, user } = await openByKey({ row: confirmed })
  await user.keyboard("00912345{Enter}{Enter}")
  expect(await screen.findByText("ord_1 is shipped now")).toBeVisible()
  expect(sent).toEqual([shippedByHand])
  expect(editor()).not.toBeInTheDocument()
  await waitFor(() => expect(screen.getByRole("link", { name: "ord_1" })).toHaveFocus())
  expect(await within(screen.getByRole("row", { name: /ord_1/ })).findByText("00912345")).toBeVisible()
  expect(screen.getByRole("link", { name: "View" })).toHaveAttribute("href", "/orders/ord_1")

  await user.dblClick(screen.getByRole("button", { name: "Undo" }))
  expect(await screen.findByText("ord_1 is as it was before")).toBeVisible()
  expect(sent).toHaveLength(2)
  expect(sent[1]?.body.rows[0]).toMatchObject({ status: "pending", tracking_number: "", carrier: "" })
})

test("an order that leaves the list when shipped passes the focus to the next one", async () => {
  const orders = ["ord_1", "ord_2", "ord_3"].map((id) => order(id))
  const { user } = openOrders("/orders?status=to-ship", { orders, row: confirmed })
  await link("ord_1")
  await user.keyboard("je")
  expect(await field()).toHaveFocus()
  await user.keyboard("00912345{Enter}")
  await waitFor(() => expect(screen.queryByRole("link", { name: "ord_1" })).not.toBeInTheDocument())
  await waitFor(async () => expect(await link("ord_2")).toHaveFocus())
})

test("adding tracking in a row opens the same form, and Escape sends nothing", async () => {
  const { sent, user, router } = openOrders("/orders")
  const add = await screen.findByRole("button", { name: "Add tracking to ord_1" })
  await user.click(add)
  await user.type(await field(), "33AB")
  await user.keyboard("{Escape}")
  expect(editor()).not.toBeInTheDocument()
  await waitFor(() => expect(add).toHaveFocus())
  expect(router.state.location.pathname).toBe("/orders")
  // Cancelled text is not restored.
  await user.keyboard("{F2}")
  expect(await field()).toHaveValue("")
  expect(sent).toEqual([])
})

test("another number brings its carrier and leaves the status unchanged; an empty number removes both", async () => {
  const { sent, user, input } = await openByKey({ orders: [shipped] })
  expect(input).toHaveValue("0091")
  await user.clear(input)
  expect(await screen.findByText("Removes the number and its carrier.")).toBeVisible()
  await user.type(input, "0092")
  expect(await screen.findByText("Australia Post, recognised from the number.")).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Save" }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.body.rows).toEqual([
    {
      order_id: "ord_1",
      tracking_number: "0092",
      carrier: "Australia Post",
      expected: { status: "shipped", tracking_number: "0091", carrier: "StarTrack" },
    },
  ])
})

const unrecognised = {
  "POST /api/carriers/recognise": () => [
    { number: "X1", carriers: [], chosen: null, why: "unknown", link: null },
  ],
  "POST /api/carriers/choice": () => new Response(null, { status: 204 }),
}

test("an unrecognised number is not shipped before a choice, nor with the previous carrier", async () => {
  const numbered = order("ord_1", { carrier: "StarTrack" })
  const { sent, user } = await openByKey({ orders: [numbered], handlers: unrecognised })
  await user.keyboard("X1{Enter}")
  expect(await screen.findByText(/^No carrier numbers like this/)).toBeVisible()
  expect(screen.getByRole("button", { name: "Ship" })).toBeDisabled()
  await user.keyboard("{Enter}")
  expect(sent).toEqual([])
  await user.click(screen.getByRole("button", { name: "No carrier" }))
  await user.click(screen.getByRole("button", { name: "Ship" }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.body.rows[0]).toMatchObject({ status: "shipped", tracking_number: "X1", carrier: "" })
})

test("an unrecognised number gets the chosen carrier", async () => {
  const { sent, user, input } = await openByKey({ orders: [shipped], handlers: unrecognised })
  await user.clear(input)
  await user.type(input, "X1")
  await user.click(await screen.findByRole("button", { name: "DHL" }))
  await user.click(screen.getByRole("button", { name: "Save" }))
  await waitFor(() => expect(sent[0]?.body.rows[0]).toMatchObject({ tracking_number: "X1", carrier: "DHL" }))
})

test("a number with a wrong check digit is sent only after confirmation", async () => {
  const { sent, user, requests } = await openByKey()
  await user.keyboard("RB123456789AU")
  expect(await screen.findByText("The check digit of this number is wrong")).toBeVisible()
  await waitFor(() => expect(screen.getByRole("button", { name: "Ship" })).toBeDisabled())
  await user.click(screen.getByRole("button", { name: "It’s right: use it" }))
  await user.click(screen.getByRole("button", { name: "Ship" }))
  await waitFor(() => expect(sent[0]?.body.rows[0]).toMatchObject({ tracking_number: "RB123456789AU" }))
  expect(requests.filter((line) => line.includes("/carriers/choice"))).toEqual([])
})

test("an ambiguous carrier and a number of another order are confirmed before sending", async () => {
  const { sent, user } = await openByKey({
    handlers: {
      "POST /api/carriers/recognise": () => [
        { number: "1234567890", carriers: ["dhl", "fedex"], chosen: null, why: "asked", link: null },
      ],
      "POST /api/carriers/choice": () => new Response(null, { status: 204 }),
      "POST /api/orders/used-numbers": () => ({
        used: [
          { number: "1234567890", order_id: "ord_7", where: "order", job: null, at: "2026-11-20T00:00:00Z" },
        ],
        looked: { rows: 0, since: null, orders: 0, oldest_order_copy: null },
      }),
    },
  })
  await user.keyboard("1234567890{Enter}")
  await user.click(await screen.findByRole("button", { name: "FedEx" }))
  await user.keyboard("{Enter}")
  expect(sent).toEqual([])
  expect(screen.queryByText(/The order becomes Shipped/)).not.toBeInTheDocument()
  await user.click(screen.getByRole("button", { name: "One parcel for both: use it" }))
  expect(await field()).toHaveFocus()
  await user.keyboard("{Enter}")
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.body.rows[0]).toMatchObject({ tracking_number: "1234567890", carrier: "FedEx" })
})

test("a number whose lookup failed is not sent, since another order may have it", async () => {
  let looksUp = false
  const { sent, user } = await openByKey({
    handlers: {
      "POST /api/orders/used-numbers": () =>
        looksUp
          ? { used: [], looked: { rows: 0, since: null, orders: 0, oldest_order_copy: null } }
          : refusal(503, "store_unavailable"),
    },
  })
  await user.keyboard("00912345{Enter}")
  expect(await screen.findByText(/^The number wasn’t checked\./)).toBeVisible()
  expect(screen.queryByText(/The order becomes Shipped/)).not.toBeInTheDocument()
  expect(screen.getByRole("button", { name: "Ship" })).toBeDisabled()
  expect(sent).toEqual([])
  looksUp = true
  await user.click(screen.getByRole("button", { name: "Try again" }))
  expect(await screen.findByText(/The order becomes Shipped/)).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Ship" }))
  await waitFor(() => expect(sent).toEqual([shippedByHand]))
})

test("a retry without a response sends the same number with the same key", async () => {
  const keys: (string | null)[] = []
  const { user } = await openByKey({
    handlers: {
      "POST /api/jobs": ({ headers }) => {
        keys.push(headers.get("Idempotency-Key"))
        return Response.error()
      },
    },
  })
  await user.keyboard("00912345{Enter}")
  expect(await screen.findByText(/Press “Ship” again/)).toBeVisible()
  expect(screen.queryByText(/The order becomes Shipped/)).not.toBeInTheDocument()
  expect(await field()).toHaveValue("00912345")
  await user.keyboard("{Enter}")
  await waitFor(() => expect(keys).toHaveLength(2))
  expect(keys[0]).toBe(keys[1])
})

test("the order's own id is refused as a number, without a note about the outcome", async () => {
  const { sent, user } = await openByKey()
  await user.keyboard("00912345")
  expect(await screen.findByText(/The order becomes Shipped/)).toBeVisible()
  await user.keyboard("{Control>}a{/Control}ORD_1{Enter}")
  expect(await screen.findByText(/This is the order’s own id/)).toBeVisible()
  expect(screen.queryByText(/The order becomes Shipped/)).not.toBeInTheDocument()
  expect(sent).toEqual([])
})

const conflict = {
  before: { status: "pending", tracking_number: null, carrier: null },
  theirs: { status: "cancelled", tracking_number: null, carrier: null },
  yours: { status: "shipped" },
}
test.each([
  { row: { state: "conflict", conflict }, says: "Needs you.", leads: "Decide" },
  {
    row: { state: "failed", outcome: { code: "refused", message: "The order is closed." } },
    says: "Not done. The order is closed.",
    leads: "Open the job",
  },
  { row: { state: "unknown" }, says: /^Outcome not known yet/, leads: "Open the job" },
] as const)("a change with outcome $row.state shows it", async ({ row, says, leads }) => {
  const { user } = await openByKey({ row })
  await user.keyboard("00912345{Enter}")
  expect(await screen.findByText(says)).toBeVisible()
  expect(screen.getByRole("link", { name: leads })).toHaveAttribute("href", "/jobs/J-1")
  expect(screen.getByRole("button", { name: "Add tracking to ord_1" })).toBeVisible()
})

test("typed text survives a page change of the list, and leaving the page asks for confirmation", async () => {
  const orders = Array.from({ length: 30 }, (_, at) => order(`ord_${at + 1}`))
  const { sent, user, router } = await openByKey({ orders })
  await user.keyboard("0099")
  await user.click(screen.getByRole("button", { name: "Next page" }))
  await user.hover(await link("ord_30"))
  expect(screen.getByText(/^ord_1, Drill kit, no longer in this list$/)).toBeVisible()
  expect(await field()).toHaveValue("0099")
  // A second row editor is not opened meanwhile.
  await user.click(screen.getByRole("button", { name: "Add tracking to ord_30" }))
  expect(await field()).toHaveValue("0099")

  await user.click(await link("ord_30"))
  await user.click(await screen.findByRole("button", { name: "Keep editing" }))
  expect(router.state.location.pathname).toBe("/orders")
  expect(await field()).toHaveValue("0099")
  await user.click(screen.getByRole("button", { name: "Ship" }))
  await waitFor(() => expect(sent[0]?.body.rows[0]).toMatchObject({ order_id: "ord_1" }))
})

test("an untouched editor closes when the focus leaves it", async () => {
  const { user } = await openByKey()
  await user.click(screen.getByRole("heading", { level: 1 }))
  expect(editor()).not.toBeInTheDocument()
})

test("another row's button keeps typed text, says why its editor stays closed, and opens it once nothing is typed", async () => {
  const { user, input } = await openByKey({ orders: [order("ord_1"), order("ord_2")] })
  await user.keyboard("0099")
  await user.click(screen.getByRole("button", { name: "Add tracking to ord_2" }))
  expect(screen.getByRole("alert")).toHaveTextContent("Save or cancel ord_1 first. Then you can edit ord_2.")
  expect(input).toHaveFocus()
  expect(input).toHaveValue("0099")
  expect(editor("ord_2")).not.toBeInTheDocument()

  await user.clear(input)
  await user.click(screen.getByRole("button", { name: "Add tracking to ord_2" }))
  expect(editor("ord_1")).not.toBeInTheDocument()
  expect(editor("ord_2")).toBeVisible()
})

test("changes by others while it is open are shown, and applied only after confirmation", async () => {
  let now = order("ord_1")
  const { queryClient, user, sent } = await openByKey({
    handlers: { "GET /api/orders": () => [now] },
  })
  await user.keyboard("0099")
  now = order("ord_1", { status: "processing" })
  await act(() => queryClient.invalidateQueries({ queryKey: ["orders"] }))
  await user.click(await screen.findByRole("button", { name: "Continue from the latest version" }))
  expect(await field()).toHaveValue("0099")
  await user.type(await field(), "{Enter}")
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.body.rows[0]).toMatchObject({ expected: { status: "processing" } })
})

test("more fields opens the drawer with the typed text", async () => {
  const { user, router } = await openByKey()
  await user.keyboard("0099")
  await user.click(screen.getByRole("button", { name: "More fields" }))
  const drawer = within(await screen.findByRole("dialog", { name: "Change ord_1" }))
  expect(await drawer.findByLabelText(/^Tracking number/)).toHaveValue("0099")
  expect(drawer.getByLabelText("Status")).toHaveValue("shipped")
  expect(router.state.location.pathname).toBe("/orders/edit")
})

test.each([
  { who: "digital", orders: [order("ord_1", { fulfillment: { type: "digital" } })], role: "manager" },
  { who: "a viewer’s", orders: [shipped, order("ord_2")], role: "viewer" },
] as const)("orders that are $who have no tracking to edit", async ({ orders, role }) => {
  const { user } = openOrders("/orders", { orders, role })
  await link("ord_1")
  await user.keyboard("je")
  expect(document.querySelector("[data-row-edit]")).toBeNull()
  expect(editor()).not.toBeInTheDocument()
})
