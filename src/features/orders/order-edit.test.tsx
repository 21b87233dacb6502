import { act, screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { refusal } from "../../../tests/support/test-app.tsx"
import { openOrders, order, shippedByHand } from "../../../tests/support/orders/open-orders.tsx"
import { rowOf } from "../../../tests/support/ship/parcels.ts"
import { undoRow } from "./order-edit-model.ts"
import { fill } from "../../../tests/support/open-page.tsx"

const drawer = async () => within(await screen.findByRole("dialog", { name: "Change ord_1" }))
const nothingUsed = { rows: 0, since: null, orders: 0, oldest_order_copy: null }

test("a typed number ships the order: carrier recognised, zeros preserved, expected values sent", async () => {
  const { sent, user, router } = openOrders("/orders/edit?order=ord_1&ship=true", {
    row: { state: "confirmed", upstream_id: "ord_1", known_by: "answer" },
  })
  const shown = await drawer()
  await user.type(shown.getByLabelText(/^Tracking number/), "00912345")
  const button = await shown.findByRole("button", {
    name: "Change ord_1 to Shipped with 00912345 by Australia Post",
  })
  await user.click(button)
  expect(await screen.findByText("ord_1 is shipped now")).toBeVisible()
  expect(sent).toEqual([shippedByHand])
  await waitFor(() => expect(router.state.location.pathname).toBe("/orders"))
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument()
  expect(screen.getByRole("link", { name: "View" })).toHaveAttribute("href", "/orders/ord_1")

  // A fast job ends before its drawer is rendered, so there is nothing to close.
  await act(() => router.navigate({ to: "/orders/edit", search: { order: "ord_1", job: "J-1" } }))
  await waitFor(() => expect(router.state.location.pathname).toBe("/orders"))

  // Undo restores the previous fields only if the order is unchanged since, and is sent once on a double click.
  await user.dblClick(screen.getByRole("button", { name: "Undo" }))
  expect(await screen.findByText("ord_1 is as it was before")).toBeVisible()
  expect(sent).toHaveLength(2)
  expect(sent[1]?.key).not.toBe(sent[0]?.key)
  expect(sent[1]?.body.rows).toEqual([
    {
      order_id: "ord_1",
      status: "pending",
      tracking_number: "",
      carrier: "",
      expected: { status: "shipped", tracking_number: "00912345", carrier: "Australia Post" },
    },
  ])
})

test("Enter during the number lookup is carried out once, when the lookup ends", async () => {
  const { sent, user } = openOrders("/orders/edit?order=ord_1&ship=true")
  const shown = await drawer()
  await user.type(shown.getByLabelText(/^Tracking number/), "00912345{Enter}{Enter}")
  expect(sent).toEqual([])
  await waitFor(() => expect(sent).toEqual([shippedByHand]))
})

test("Enter during the lookup is dropped when another order has the number or the number changes", async () => {
  const { sent, user } = openOrders("/orders/edit?order=ord_1&ship=true", {
    handlers: {
      "POST /api/orders/used-numbers": ({ body }) => {
        const { numbers } = body as { numbers: string[] }
        const used = numbers
          .filter((number) => number === "33AB")
          .map((number) => ({
            number,
            order_id: "ord_7",
            where: "order",
            job: null,
            at: "2026-11-20T00:00:00Z",
          }))
        return { used, looked: nothingUsed }
      },
    },
  })
  const shown = await drawer()
  const field = shown.getByLabelText(/^Tracking number/)
  await user.type(field, "33AB{Enter}")
  expect(await shown.findByText("Another order already has this number")).toBeVisible()
  await user.type(field, "1{Enter}2")
  const button = await shown.findByRole("button", { name: /^Change ord_1 to Shipped with 33AB12 by/ })
  await waitFor(() => expect(button).toHaveAttribute("aria-busy", "false"))
  await user.click(shown.getByRole("button", { name: "Close" }))
  expect(sent).toEqual([])
})

test("a failed send returns the focus to the field, and Ctrl Enter sends again", async () => {
  const refused = Promise.withResolvers<Response>()
  const attempts: (string | null)[] = []
  const { user } = openOrders("/orders/edit?order=ord_1&ship=true", {
    handlers: {
      "POST /api/jobs": ({ headers }) => {
        attempts.push(headers.get("Idempotency-Key"))
        return refused.promise.then((response) => response.clone())
      },
    },
  })
  const shown = await drawer()
  const field = shown.getByLabelText(/^Tracking number/)
  await user.type(field, "00912345{Enter}")
  // A browser drops the focus of a disabled field.
  await waitFor(() => expect(shown.getByRole("button", { name: /^Changing ord_1/ })).toHaveFocus())
  refused.resolve(refusal(503, "store_unavailable"))
  await waitFor(() => expect(field).toHaveFocus())
  await user.keyboard("{Control>}{Enter}{/Control}")
  await waitFor(() => expect(attempts).toHaveLength(2))
  act(() => (document.activeElement as HTMLElement).blur())
  await waitFor(() => expect(shown.getByRole("button", { name: /^Change ord_1/ })).toBeEnabled())
  await user.keyboard("{Control>}{Enter}{/Control}")
  await waitFor(() => expect(attempts).toHaveLength(3))
})

test("cancelling an order explains its limits and asks for confirmation once", async () => {
  const shipped = order("ord_1", { status: "shipped", tracking_number: "0091", carrier: "StarTrack" })
  const { sent, user } = openOrders("/orders/ord_1/edit", { orders: [shipped] })
  const shown = await drawer()
  await user.selectOptions(shown.getByLabelText("Status"), "cancelled")
  const button = shown.getByRole("button", { name: "Change ord_1 to Cancelled" })
  await user.click(button)
  const question = within(await screen.findByRole("dialog", { name: "Cancel ord_1?" }))
  expect(question.getByText(/Whether points and stock are returned is up to the service/)).toBeVisible()
  expect(question.getByText(/A parcel may be on its way \(0091, StarTrack\)/)).toBeVisible()
  await user.click(question.getByRole("button", { name: "Keep the order" }))
  expect(sent).toEqual([])
  await user.click(button)
  await user.click(await screen.findByRole("button", { name: "Cancel the order" }))
  await waitFor(() => expect(sent[0]?.body.rows[0]).toMatchObject({ status: "cancelled" }))
  expect(sent).toHaveLength(1)
})

test("undo is offered only to a status that can be set, and not for cancellations", () => {
  const before = { status: "pending", tracking_number: "0091", carrier: null }
  expect(undoRow("ord_1", before, { tracking_number: "", carrier: "DHL" })).toEqual({
    order_id: "ord_1",
    tracking_number: "0091",
    carrier: "",
    expected: { status: "pending", tracking_number: null, carrier: "DHL" },
  })
  expect(undoRow("ord_1", before, { status: "cancelled" })).toBeUndefined()
  expect(undoRow("ord_1", { ...before, status: "cancelled" }, { status: "pending" })).toBeUndefined()
  expect(undoRow("ord_1", { ...before, status: "on_hold" }, { status: "pending" })).toBeUndefined()
  expect(undoRow("ord_1", { ...before, status: "on_hold" }, { carrier: "DHL" })).toMatchObject({
    expected: { status: "on_hold" },
  })
})

test("another number clears the previous carrier, unless one is chosen after it", async () => {
  const ups = order("ord_1", { status: "shipped", tracking_number: "1Z999AA10123456784", carrier: "UPS" })
  const { sent, user } = openOrders("/orders/ord_1/edit", { orders: [ups] })
  const shown = await drawer()
  const number = shown.getByLabelText(/^Tracking number/)
  const carrier = shown.getByLabelText(/^Carrier/)
  expect(carrier).toHaveValue("UPS")
  await user.clear(number)
  await user.type(number, "RB400073511AU")
  await waitFor(() => expect(carrier).toHaveDisplayValue("Australia Post, recognised from the number"))
  await user.selectOptions(carrier, "DHL")
  expect(await shown.findByRole("button", { name: "Change ord_1 with RB400073511AU by DHL" })).toBeEnabled()
  await user.clear(number)
  await user.type(number, "1Z999AA10123456784")
  expect(carrier).toHaveValue("UPS")
  await user.clear(number)
  await user.type(number, "RB400073511AU")
  await user.click(
    await shown.findByRole("button", { name: "Change ord_1 with RB400073511AU by Australia Post" }),
  )
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.body.rows).toMatchObject([{ tracking_number: "RB400073511AU", carrier: "Australia Post" }])
})

test("an unlisted carrier is entered as text", async () => {
  const { sent, user } = openOrders("/orders/edit?order=ord_1&ship=true")
  const shown = await drawer()
  await user.type(shown.getByLabelText(/^Tracking number/), "00912345")
  await user.selectOptions(shown.getByLabelText(/^Carrier/), "Another carrier…")
  await fill(user, shown.getByLabelText("Carrier name"), "Outback Couriers")
  await user.click(await shown.findByRole("button", { name: /by Outback Couriers$/ }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.body.rows).toMatchObject([{ tracking_number: "00912345", carrier: "Outback Couriers" }])
})

test("the button names the carrier of another number even when it is the same", async () => {
  const posted = order("ord_1", { tracking_number: "RB123456785AU", carrier: "Australia Post" })
  const { user } = openOrders("/orders/ord_1/edit", { orders: [posted] })
  const shown = await drawer()
  const number = shown.getByLabelText(/^Tracking number/)
  await user.clear(number)
  await user.type(number, "RB400073511AU")
  expect(
    await shown.findByRole("button", { name: "Change ord_1 with RB400073511AU by Australia Post" }),
  ).toBeVisible()
})

test("a number with a wrong check digit shows a warning and is sent only once confirmed", async () => {
  const { sent, user } = openOrders("/orders/edit?order=ord_1&ship=true")
  const shown = await drawer()
  await user.type(shown.getByLabelText(/^Tracking number/), "RB123456789AU")
  expect(await shown.findByText("The check digit of this number is wrong")).toBeVisible()
  const send = await shown.findByRole("button", { name: /^Change ord_1 to Shipped with RB123456789AU/ })
  await waitFor(() => expect(send).toBeDisabled())
  await user.click(shown.getByRole("button", { name: "It’s right: use it" }))
  await waitFor(() => expect(send).toBeEnabled())
  await user.click(send)
  await waitFor(() => expect(sent).toHaveLength(1))
})

test("a scanned label barcode gives its tracking number, and the form shows which", async () => {
  const { sent, user } = openOrders("/orders/edit?order=ord_1&ship=true")
  const shown = await drawer()
  await user.click(shown.getByLabelText(/^Tracking number/))
  await user.paste("]C1019931265099999891KXT012345001000930908")
  expect(await shown.findByText("Tracking number in this barcode: KXT012345001000930908")).toBeVisible()
  await user.click(
    await shown.findByRole("button", {
      name: "Change ord_1 to Shipped with KXT012345001000930908 by Australia Post",
    }),
  )
  await waitFor(() =>
    expect(sent[0]?.body.rows).toMatchObject([{ tracking_number: "KXT012345001000930908" }]),
  )
})

test("a number rounded by a spreadsheet and the order's own id are refused with the reason", async () => {
  const { sent, user } = openOrders("/orders/ord_1/edit")
  const shown = await drawer()
  const field = shown.getByLabelText(/^Tracking number/)
  await user.type(field, "9.4E+21")
  await waitFor(() =>
    expect(shown.getByRole("button", { name: /^Change ord_1 with 9\.4E\+21/ })).toBeEnabled(),
  )
  await user.click(shown.getByRole("button", { name: /^Change ord_1 with 9\.4E\+21/ }))
  expect(await shown.findByText(/A spreadsheet rounded this number/)).toBeVisible()
  await user.clear(field)
  await user.type(field, "ORD_1")
  await waitFor(() => expect(shown.getByRole("button", { name: /^Change ord_1 with ORD_1/ })).toBeEnabled())
  await user.click(shown.getByRole("button", { name: /^Change ord_1 with ORD_1/ }))
  expect(await shown.findByText(/This is the order’s own id/)).toBeVisible()
  expect(sent).toEqual([])
})

test("the drawer refuses what an import refuses, and words are sent only once confirmed", async () => {
  const { sent, user } = openOrders("/orders/ord_1/edit")
  const shown = await drawer()
  const field = shown.getByLabelText(/^Tracking number/)
  for (const [typed, reason] of [
    ["ord_20398", /This is an order number/],
    ["#N/A", /This is a spreadsheet’s error/],
    ["=A1", /This is a formula/],
  ] as const) {
    await user.clear(field)
    await user.type(field, typed)
    const send = await shown.findByRole("button", { name: `Change ord_1 with ${typed} without a carrier` })
    await waitFor(() => expect(send).toBeEnabled())
    await user.click(send)
    expect(await shown.findByText(reason)).toBeVisible()
  }
  await user.clear(field)
  await user.type(field, "n/a")
  expect(await shown.findByText("This looks like words, not a tracking number")).toBeVisible()
  const send = await shown.findByRole("button", { name: /^Change ord_1 with n\/a/ })
  await waitFor(() => expect(send).toBeDisabled())
  expect(sent).toEqual([])
})

test("a number that a formula quotes, or in full-width digits, is read as the import reads it", async () => {
  const { sent, user } = openOrders("/orders/ord_1/edit")
  const shown = await drawer()
  const field = shown.getByLabelText(/^Tracking number/)
  await user.click(field)
  await user.paste('="00340434161094021501"')
  expect(await shown.findByText("Read as 00340434161094021501")).toBeVisible()
  await user.clear(field)
  await user.paste("ＲＢ１２３４５６７８５ＡＵ")
  const send = await shown.findByRole("button", {
    name: "Change ord_1 with RB123456785AU by Australia Post",
  })
  await waitFor(() => expect(send).toBeEnabled())
  await user.click(send)
  await waitFor(() => expect(sent[0]?.body.rows).toMatchObject([{ tracking_number: "RB123456785AU" }]))
})

test("a number of another order is sent only after confirmation", async () => {
  const { sent, user } = openOrders("/orders/ord_1/edit", {
    handlers: {
      "POST /api/orders/used-numbers": ({ body }) => {
        expect(body).toEqual({ numbers: ["33AB"], except: "ord_1" })
        const used = {
          number: "33AB",
          order_id: "ord_7",
          where: "order",
          job: null,
          at: "2026-11-20T00:00:00Z",
        }
        return { used: [used], looked: nothingUsed }
      },
    },
  })
  const shown = await drawer()
  await user.type(shown.getByLabelText(/^Tracking number/), "33AB")
  expect(await shown.findByText("Another order already has this number")).toBeVisible()
  const send = shown.getByRole("button", { name: /^Change ord_1 with 33AB/ })
  expect(send).toBeDisabled()
  await user.click(shown.getByRole("button", { name: "One parcel for both: use it" }))
  await waitFor(() => expect(send).toBeEnabled())
  await user.click(send)
  await waitFor(() => expect(sent).toHaveLength(1))
})

test("an ambiguous carrier is chosen by the user and remembered", async () => {
  const remembered: unknown[] = []
  const { user } = openOrders("/orders/ord_1/edit", {
    handlers: {
      "POST /api/carriers/recognise": ({ body }) => {
        const { numbers } = body as { numbers: string[] }
        return numbers.map((number) => ({
          number,
          carriers: ["dhl", "fedex"],
          chosen: null,
          why: "asked",
          link: null,
        }))
      },
      "POST /api/carriers/choice": ({ body }) => {
        remembered.push(body)
        return new Response(null, { status: 204 })
      },
    },
  })
  const shown = await drawer()
  await user.type(shown.getByLabelText(/^Tracking number/), "1234567890")
  await user.click(await shown.findByRole("button", { name: "FedEx" }))
  expect(await shown.findByRole("button", { name: "Change ord_1 with 1234567890 by FedEx" })).toBeVisible()
  expect(remembered).toEqual([{ number: "1234567890", carrier: "fedex" }])
})

test("every status is selectable, and an undocumented one is preserved", async () => {
  const { sent, user } = openOrders("/orders/ord_1/edit", { orders: [order("ord_1", { status: "on_hold" })] })
  const shown = await drawer()
  const status = shown.getByLabelText("Status")
  expect(
    within(status)
      .getAllByRole("option")
      .map((option) => option.textContent),
  ).toEqual(["on_hold (current)", "Pending", "Processing", "Shipped", "Completed", "Cancelled"])
  expect(shown.getByRole("button", { name: "No changes" })).toBeDisabled()
  await user.selectOptions(status, "pending")
  await user.click(await shown.findByRole("button", { name: "Change ord_1 to Pending" }))
  await waitFor(() =>
    expect(sent[0]?.body.rows).toEqual([
      {
        order_id: "ord_1",
        status: "pending",
        expected: { status: "on_hold", tracking_number: null, carrier: null },
      },
    ]),
  )
})

test("a conflict shows before, current and own values, and each decision is the user's", async () => {
  const decided: unknown[] = []
  const { user } = openOrders("/orders/ord_1/edit", {
    row: {
      state: "conflict",
      outcome: { code: "changed_there", message: "Somebody else changed this meanwhile." },
      conflict: {
        before: { status: "pending", tracking_number: null, carrier: null },
        theirs: { status: "cancelled", tracking_number: null, carrier: null },
        yours: { status: "shipped" },
        changed_by: { name: "Priya Nair", at: "2026-03-02T06:32:00Z" },
      },
    },
    handlers: {
      "POST /api/jobs/J-1/rows/1/decision": ({ body }) => {
        decided.push(body)
        return rowOf("planned", { attempts: 0 })
      },
    },
  })
  const form = await drawer()
  await user.selectOptions(form.getByLabelText("Status"), "shipped")
  await user.click(await form.findByRole("button", { name: "Change ord_1 to Shipped" }))
  expect(await screen.findByText(/^Priya Nair changed this order .*at \d\d:\d\d$/)).toBeVisible()
  const row = screen.getByRole("row", { name: /^Status/ })
  expect(
    within(row)
      .getAllByRole("cell")
      .map((cell) => cell.textContent),
  ).toEqual(["Pending", "Cancelledchanged", "Shipped"])
  await user.click(screen.getByRole("button", { name: "Replace with mine" }))
  await waitFor(() => expect(decided).toEqual([{ decision: "resend" }]))
})

test("a second conflict shows that the order changed again", async () => {
  const side = { status: "cancelled", tracking_number: null, carrier: null }
  const { user } = openOrders("/orders/ord_1/edit", {
    row: {
      state: "conflict",
      outcome: { code: "changed_again", message: "It was changed once more in the meantime." },
      conflict: { before: side, theirs: side, yours: { status: "shipped" } },
    },
  })
  const form = await drawer()
  await user.selectOptions(form.getByLabelText("Status"), "shipped")
  await user.click(await form.findByRole("button", { name: "Change ord_1 to Shipped" }))
  const title = await screen.findByText("Someone else changed this order once more")
  expect(title.closest("[role=status]")).toHaveTextContent(
    "Nothing was overwritten. Compare both and decide.",
  )
})

test("changes by others while the form is open are shown, and applied only after confirmation", async () => {
  let now = order("ord_1")
  const { queryClient, user } = openOrders("/orders/ord_1/edit", {
    handlers: { "GET /api/program/orders/ord_1": () => now },
  })
  const shown = await drawer()
  expect(shown.getByLabelText("Status")).toHaveValue("pending")
  now = order("ord_1", { status: "cancelled" })
  await queryClient.invalidateQueries({ queryKey: ["order"] })
  expect(await shown.findByText("The order changed while this was open")).toBeVisible()
  expect(shown.getByLabelText("Status")).toHaveValue("pending")
  await user.click(shown.getByRole("button", { name: "Continue from the latest version" }))
  await waitFor(() => expect(shown.getByLabelText("Status")).toHaveValue("cancelled"))
})

test("a role that cannot change orders sees the reason", async () => {
  openOrders("/orders/ord_1/edit", { role: "viewer" })
  expect(await screen.findByText("Changing orders requires the Fulfilment role")).toBeVisible()
})

test("invisible characters of a pasted number are removed with a note", async () => {
  const { user } = openOrders("/orders/edit?order=ord_1&ship=true")
  const shown = await drawer()
  const field = shown.getByLabelText(/^Tracking number/)
  await user.click(field)
  await user.paste("\u200E0091\u00AD2345\u202C")
  expect(field).toHaveValue("00912345")
  expect(shown.getByText("Invisible characters were removed.")).toBeVisible()
  await user.clear(field)
  expect(shown.queryByText("Invisible characters were removed.")).not.toBeInTheDocument()
})
