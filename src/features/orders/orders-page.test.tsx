import { act, createEvent, fireEvent, screen, waitFor, within } from "@testing-library/react"
import { expect, onTestFinished, test, vi } from "vitest"
import { orderListReader } from "../../../contract/program/order.ts"
import { applyOrderChange } from "../../api/orders.ts"
// Preloaded, so that no test waits for the code to load.
import "./status-dialog.tsx"
import { openOrders, order, pageOf } from "../../../tests/support/orders/open-orders.tsx"

const table = () => screen.findByRole("table", { name: "Orders" })
const link = (id: string) => screen.findByRole("link", { name: id })
/** The filter, not the sort button in the header of the same name. */
const filterButton = async (name: string) => {
  const found = await screen.findAllByRole("button", { name })
  return found.find((button) => button.closest("table") === null) ?? expect.fail(`no filter ${name}`)
}
const many = (count: number) => Array.from({ length: count }, (_, at) => order(`ord_${at + 1}`))
const ordersRequests = (requests: readonly string[]) =>
  requests.filter((line) => line.startsWith("GET /api/program/") || line.startsWith("POST /api/members"))

test("25 rows cost three requests cold, with no separate request for a name", async () => {
  const { requests } = openOrders("/orders", { orders: many(60) })
  await link("ord_1")
  await waitFor(() => expect(screen.getAllByText("Ana Silva")).toHaveLength(25))
  expect(ordersRequests(requests).toSorted()).toEqual([
    "GET /api/program/orders?page=1&per_page=25",
    "GET /api/program/rewards?page=1&per_page=100",
    "POST /api/members/names",
  ])
})

test("a full page shows a minimum number of orders, the short one after it the exact number", async () => {
  const { user } = openOrders("/orders", { orders: many(30) })
  await link("ord_1")
  expect(screen.getByText("25+", { selector: "output" })).toBeVisible()
  expect(screen.getByRole("link", { name: /^All\s*25\+$/ })).toBeVisible()
  // No count for statuses that were not read.
  expect(screen.getByRole("link", { name: "Pending" })).toBeVisible()
  expect(screen.getByText(/The service gives no total/)).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Next page" }))
  await link("ord_30")
  expect(screen.getByText("30", { selector: "output" })).toBeVisible()
  expect(screen.getByRole("button", { name: "Next page" })).toBeDisabled()
})

test("the member's id is shown until the name is known", async () => {
  const known: Record<string, string> = {}
  const { queryClient } = openOrders("/orders", { names: known })
  const shown = within(await table())
  expect(await shown.findByText("mem_ana")).toBeVisible()
  known["mem_ana"] = "Ana Silva"
  await act(() => queryClient.invalidateQueries({ queryKey: ["member-names"] }))
  expect(await shown.findByText("Ana Silva")).toBeVisible()
})

test("a known name is shown even when the server has lost it", async () => {
  const known: Record<string, string> = { mem_ana: "Ana Silva" }
  const { queryClient } = openOrders("/orders", { names: known })
  const shown = within(await table())
  expect(await shown.findByText("Ana Silva")).toBeVisible()
  delete known["mem_ana"]
  await act(() => queryClient.invalidateQueries({ queryKey: ["member-names"] }))
  expect(shown.getByText("Ana Silva")).toBeVisible()
})

test("days are requested one day wider and filtered locally, in the program's zone", async () => {
  const { requests } = openOrders("/orders?from=2026-11-18&to=2026-11-18", {
    orders: [
      order("ord_in", { created_at: "2026-11-17T14:00:00Z" }),
      order("ord_out", { created_at: "2026-11-18T14:00:00Z" }),
      order("ord_undated", { created_at: null }),
    ],
  })
  await link("ord_in")
  expect(screen.getByRole("link", { name: "ord_undated" })).toBeVisible()
  expect(screen.queryByRole("link", { name: "ord_out" })).not.toBeInTheDocument()
  expect(requests).toContain("GET /api/program/orders?from=2026-11-17&to=2026-11-19&page=1&per_page=25")
  expect(screen.getByText(/, 2 within the days/)).toBeVisible()
  expect(screen.getByText("2 on 18 Nov 2026", { selector: "output" })).toBeVisible()
})

test("orders to ship are pending and processing, oldest first, without digital ones", async () => {
  openOrders("/orders?status=to-ship", {
    orders: [
      order("ord_new", { created_at: "2026-11-20T00:00:00Z" }),
      order("ord_code", { fulfillment: { type: "digital" } }),
      order("ord_old", { status: "processing", created_at: "2026-11-01T00:00:00Z" }),
      order("ord_gone", { status: "shipped" }),
    ],
  })
  await link("ord_old")
  const shown = within(await table())
  expect(shown.getAllByRole("link", { name: /^ord_/ }).map((each) => each.textContent)).toEqual([
    "ord_old",
    "ord_new",
  ])
  expect(screen.getByText("2 to ship, oldest first")).toBeVisible()
})

test("an undocumented status is shown as sent, and both shapes of an order show their parcel", async () => {
  openOrders("/orders", {
    orders: [
      order("ord_odd", { status: "on_hold" }),
      order("ord_flat", { tracking_number: "0091", carrier: "StarTrack" }),
      order("ord_nested", { fulfillment: { type: "physical", tracking_number: "33AB", carrier: "DHL" } }),
    ],
  })
  await link("ord_odd")
  expect(screen.getByText("on_hold")).toBeVisible()
  expect(screen.getByText("0091")).toBeVisible()
  expect(screen.getByText("33AB")).toBeVisible()
})

test("rows are selected and opened by keyboard", async () => {
  const { router, user } = openOrders("/orders", { orders: many(3) })
  await link("ord_1")
  await user.keyboard("jjx")
  expect(screen.getByRole("checkbox", { name: /^Select ord_2/ })).toBeChecked()
  await user.keyboard("k{Enter}")
  await waitFor(() => expect(router.state.location.pathname).toBe("/orders/ord_1"))
})

test("the focus stays on the page when the selection, the search or a filter is cleared", async () => {
  const { user } = openOrders("/orders?search=ord&from=2026-01-01", { orders: many(3) })
  await link("ord_1")
  for (const keys of ["[Enter]", "[Escape]"]) {
    await user.click(screen.getByRole("checkbox", { name: /^Select ord_2/ }))
    screen.getByRole("button", { name: "Clear the selection" }).focus()
    await user.keyboard(keys)
    expect(screen.getByRole("checkbox", { name: "Select every row shown" })).toHaveFocus()
    expect(screen.queryByRole("region", { name: "Selected rows" })).not.toBeInTheDocument()
  }
  await user.click(screen.getByRole("button", { name: "Clear the search" }))
  expect(screen.getByRole("textbox", { name: /^Search: / })).toHaveFocus()
  await user.click(screen.getByRole("button", { name: "Remove the filter Created" }))
  await waitFor(async () => expect(await filterButton("Created")).toHaveFocus())
})

test("the status of a selection is changed as one job with the expected values", async () => {
  const { sent, user } = openOrders("/orders", {
    orders: [
      order("ord_1", { tracking_number: "0091", carrier: "StarTrack" }),
      order("ord_2", { status: "shipped" }),
    ],
  })
  await link("ord_1")
  await user.click(screen.getByRole("checkbox", { name: /^Select ord_1/ }))
  await user.click(screen.getByRole("checkbox", { name: /^Select ord_2/ }))
  await user.click(screen.getByRole("button", { name: "Change status" }))
  const dialog = within(await screen.findByRole("dialog"))
  await user.click(dialog.getByRole("button", { name: "Shipped" }))
  expect(dialog.getByText(/1 order becomes Shipped\. One is already Shipped/)).toBeVisible()
  expect(await dialog.findByText(/First time Pending → Shipped is tried here/)).toBeVisible()
  await user.click(dialog.getByRole("button", { name: "Change 1 order to Shipped" }))
  expect(await screen.findByText("Changing 1 order to Shipped")).toBeVisible()
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument()
  expect(sent).toHaveLength(1)
  expect(sent[0]?.body).toMatchObject({
    kind: "order-update",
    rows: [
      {
        order_id: "ord_1",
        status: "shipped",
        expected: { status: "pending", tracking_number: "0091", carrier: "StarTrack" },
      },
    ],
  })
  expect(screen.queryByRole("region", { name: "Selected rows" })).not.toBeInTheDocument()
})

test("a role that can neither change nor export orders has no row selection", async () => {
  openOrders("/orders", { role: "viewer" })
  await link("ord_1")
  expect(screen.queryByRole("checkbox")).not.toBeInTheDocument()
  expect(screen.queryByRole("link", { name: /^Add tracking/ })).not.toBeInTheDocument()
  expect(screen.getByRole("button", { name: "Export" })).toHaveAttribute("aria-disabled", "true")
})

test("a page past the end, filters without matches and an empty list each show what to do", async () => {
  const { router, user } = openOrders("/orders?page=9&status=shipped&member=mem_ana", { orders: [] })
  expect(await screen.findByText("Page 9 is past the end")).toBeVisible()
  await user.click(screen.getByRole("button", { name: "First page" }))
  expect(await screen.findByText("No orders match")).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Clear the filters" }))
  await user.click(await screen.findByRole("button", { name: "All orders" }))
  expect(await screen.findByText("There are no orders yet")).toBeVisible()
  expect(screen.queryByText("Newest first")).not.toBeInTheDocument()
  expect(router.state.location.searchStr).toBe("")
})

test("invalid search params fall back to defaults", async () => {
  const { requests } = openOrders("/orders?status=lost&page=-3&per_page=7&from=soon")
  await link("ord_1")
  expect(requests).toContain("GET /api/program/orders?page=1&per_page=25")
})

test("an order with damaged fields shows what was received without affecting other rows", async () => {
  const shown = orderListReader.show([
    order("ord_whole"),
    { ...order("ord_points"), points_spent: "many", status: 7, created_at: 9 },
    { ...order("ord_texts"), reward_name: 5, tracking_number: 940011, fulfillment: "box" },
    { ...order("x"), order_id: 99 },
  ])
  if (!shown.ok) throw new Error(shown.reason)
  openOrders("/orders", { orders: shown.value })
  const rowOf = async (id: string) => within((await link(id)).closest("tr") ?? document.body)
  for (const text of ["many", "7", "9"]) expect((await rowOf("ord_points")).getByText(text)).toBeVisible()
  for (const text of ["5", "940011"]) expect((await rowOf("ord_texts")).getByText(text)).toBeVisible()
  expect((await rowOf("99")).getByText("9,500")).toBeVisible()
  expect((await rowOf("ord_whole")).getByText("Drill kit")).toBeVisible()
})

test("search, type and reward filter the loaded rows, with a note", async () => {
  const { user, requests } = openOrders("/orders", {
    names: { mem_ana: "Ana Silva", mem_tom: "Tom Baker" },
    orders: [
      order("ord_mug", { reward_id: "rew_mug", reward_name: "Mug", fulfillment: { type: "physical" } }),
      order("ord_card", { reward_id: "rew_card", reward_name: "Voucher", fulfillment: { type: "digital" } }),
      order("ord_tom", { member_id: "mem_tom", reward_id: "rew_mug", reward_name: "Mug" }),
    ],
  })
  await screen.findByText("Tom Baker")
  const before = ordersRequests(requests).length
  const field = screen.getByRole("textbox", { name: "Search: Search this page" })
  await user.type(field, "baker mug")
  await waitFor(() => expect(screen.queryByRole("link", { name: "ord_mug" })).not.toBeInTheDocument())
  expect(screen.getByRole("link", { name: "ord_tom" })).toBeVisible()
  expect(screen.getByText(/, 1 shown$/)).toBeVisible()
  await user.clear(field)
  await link("ord_mug")
  await user.click(await filterButton("Type"))
  await user.click(await screen.findByRole("button", { name: "Digital" }))
  await waitFor(() => expect(screen.queryByRole("link", { name: "ord_mug" })).not.toBeInTheDocument())
  await user.type(field, "nobody")
  expect(await screen.findByText("No orders on this page match “nobody”")).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Show all on this page" }))
  await link("ord_mug")
  expect(screen.getByRole("heading", { level: 1 })).toHaveFocus()
  expect(ordersRequests(requests)).toHaveLength(before)
})

test("sorting by a click applies to the rows of the page, with a note", async () => {
  const { user } = openOrders("/orders", {
    orders: many(30).map((each, at) => ({ ...each, points_spent: (at * 7) % 30 })),
  })
  await link("ord_1")
  await user.click(screen.getByRole("button", { name: "Points" }))
  expect(await screen.findByText("Sorted within this page")).toBeVisible()
  await waitFor(async () => {
    const ids = within(await table()).getAllByRole("link", { name: /^ord_/ })
    expect(ids[0]).toHaveTextContent("ord_18")
  })
})

test("status cells and their header are right-aligned on a phone", async () => {
  const wide = matchMedia
  vi.stubGlobal("matchMedia", (query: string) =>
    Object.assign(wide(query), { matches: query.includes("640px") }),
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  openOrders("/orders", { orders: [order("ord_mug", { reward_name: "Mug" })] })
  expect(await screen.findByRole("columnheader", { name: /^Status/ })).toHaveAttribute("data-end")
})

test("the list search waits for the end of an IME composition", async () => {
  const { router } = openOrders("/orders", { orders: [order("ord_1")] })
  await link("ord_1")
  const field = screen.getByRole("textbox", { name: "Search: Search this page" })
  fireEvent.compositionStart(field)
  const composing = createEvent.input(field, { target: { value: "りんご" } })
  Object.defineProperty(composing, "isComposing", { value: true })
  fireEvent(field, composing)
  expect(field).toHaveValue("りんご")
  fireEvent.keyDown(field, { key: "Enter", isComposing: true })
  fireEvent.blur(field)
  expect(router.state.location.search).not.toHaveProperty("search")
  fireEvent.compositionEnd(field)
  fireEvent.blur(field)
  await waitFor(() => expect(router.state.location.search).toHaveProperty("search", "りんご"))
})

/** The size of the list and of its rows, without which a long list has no rows in view. */
function giveLayout() {
  onTestFinished(() => void vi.restoreAllMocks())
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(40)
}

/** 250 pending orders with the oldest last, as a service may send them. */
const newestFirst = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    order(`ord_${at + 1}`, { created_at: new Date(Date.UTC(2026, 10, 18) - at * 3_600_000).toISOString() }),
  )

test("orders to ship are read up to an empty page with progress, oldest first", async () => {
  giveLayout()
  const orders = newestFirst(250)
  const third = Promise.withResolvers<void>()
  const { requests, queryClient } = openOrders("/orders?status=to-ship", {
    orders,
    handlers: {
      "GET /api/program/orders": async ({ query }) => {
        if (query.get("page") === "3") await third.promise
        return query.get("status") === "pending" ? pageOf(orders, query) : []
      },
    },
  })
  expect(await screen.findByText("200 to ship so far, loading more")).toBeVisible()
  expect(screen.queryByRole("link", { name: "Packing slips" })).not.toBeInTheDocument()
  // A change made meanwhile is applied, and reading continues.
  act(() => applyOrderChange(queryClient, "ord_200", { status: "shipped", tracking_number: "0091" }))
  third.resolve()
  expect(await screen.findByText("249 to ship, oldest first")).toBeVisible()
  await waitFor(() => expect(screen.getAllByRole("link", { name: /^ord_/ })[0]).toHaveTextContent("ord_250"))
  const ids = screen.getByRole("link", { name: "Packing slips" }).getAttribute("href")
  expect(decodeURIComponent(ids ?? "")).toMatch(/ids=ord_250,ord_249,/)
  const pages = requests.filter((line) => line.includes("status=pending"))
  expect(pages.map((line) => /page=(\d)&/.exec(line)?.[1])).toEqual(["1", "2", "3", "4"])
})

test("refetching the orders to ship shows progress and the full list", async () => {
  const orders = newestFirst(250)
  let thirdRead: Promise<void> | undefined
  const { queryClient } = openOrders("/orders?status=to-ship", {
    orders,
    handlers: {
      "GET /api/program/orders": async ({ query }) => {
        if (query.get("page") === "3") await thirdRead
        return query.get("status") === "pending" ? pageOf(orders, query) : []
      },
    },
  })
  await screen.findByText("250 to ship, oldest first")
  const third = Promise.withResolvers<void>()
  thirdRead = third.promise
  void queryClient.invalidateQueries({ queryKey: ["orders", "to-ship"] })
  expect(await screen.findByText("250 to ship, oldest first, loading 200 of 250")).toBeVisible()
  third.resolve()
  expect(await screen.findByText("250 to ship, oldest first")).toBeVisible()
})

test("/ship leads to the ship desk", async () => {
  const { router } = openOrders("/ship", { role: "viewer" })
  expect(await screen.findByText("Your role can’t ship orders")).toBeVisible()
  expect(router.state.location.pathname).toBe("/orders/ship")
})

test.each([
  ["phone", "640px"],
  ["tablet", "900px"],
])("tracking is imported on a %s too", async (_, width) => {
  const wide = matchMedia
  vi.stubGlobal("matchMedia", (query: string) =>
    Object.assign(wide(query), { matches: query.includes(width) }),
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  openOrders("/orders")
  expect(await screen.findByRole("link", { name: "Import tracking" })).toBeVisible()
})
