import { act, createEvent, fireEvent, screen, waitFor, within } from "@testing-library/react"
import { expect, onTestFinished, test, vi } from "vitest"
import { orderListReader } from "../../../contract/program/order.ts"
// Preloaded, so that no test waits for the code to load.
import "./status-dialog.tsx"
import { syncing } from "../../../tests/support/members/made-up-list.ts"
import { openOrders, order } from "../../../tests/support/orders/open-orders.tsx"

const table = () => screen.findByRole("table", { name: "Orders" })
const link = (id: string) => screen.findByRole("link", { name: id })
/** The filter, not the sort button in the header of the same name. */
const filterButton = async (name: string) => {
  const found = await screen.findAllByRole("button", { name })
  return found.find((button) => button.closest("table") === null) ?? expect.fail(`no filter ${name}`)
}
const many = (count: number) => Array.from({ length: count }, (_, at) => order(`ord_${at + 1}`))
const listReads = (requests: readonly string[]) =>
  requests.filter((line) => line.startsWith("GET /api/orders?"))
const searchField = () => screen.findByRole("textbox", { name: "Search: Order, member or tracking" })

test("shows exact totals, with the number of orders of each status", async () => {
  const { requests, user } = openOrders("/orders", {
    orders: [...many(30), order("ord_31", { status: "shipped" })],
  })
  await link("ord_1")
  expect(screen.getByText("31 orders", { selector: "output" })).toBeVisible()
  const tabs = within(screen.getByRole("navigation", { name: "Status" }))
  expect(await tabs.findByRole("link", { name: "All 31" })).toHaveAttribute("aria-current", "page")
  expect(tabs.getByRole("link", { name: "To ship 30" })).toBeVisible()
  expect(tabs.getByRole("link", { name: "Cancelled 0" })).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Next page" }))
  await link("ord_31")
  expect(screen.getByRole("button", { name: "Next page" })).toBeDisabled()
  await user.click(tabs.getByRole("link", { name: "Shipped 1" }))
  expect(await screen.findByText("1 order", { selector: "output" })).toBeVisible()
  expect(tabs.getByRole("link", { name: "All 31" })).toBeVisible()
  expect(requests.filter((line) => line.includes("/api/program/orders"))).toEqual([])
})

test("is searched by the member's name over all orders, and filtered by reward", async () => {
  const { user, requests } = openOrders("/orders", {
    names: { mem_ana: "Ana Silva", mem_tom: "Tom Baker" },
    orders: [
      ...many(30),
      order("ord_tom", { member_id: "mem_tom", reward_id: "rew_mug", reward_name: "Mug" }),
    ],
  })
  await user.type(await searchField(), "baker mug")
  await link("ord_tom")
  expect(screen.getByText("1 order", { selector: "output" })).toBeVisible()
  expect(listReads(requests).at(-1)).toBe("GET /api/orders?search=baker+mug&page=1&per_page=25")
  await user.type(await searchField(), " nobody")
  expect(await screen.findByText("No orders match “baker mug nobody”")).toBeVisible()
  await user.clear(await searchField())
  await link("ord_1")
  await user.click(await filterButton("Reward"))
  await user.click(await screen.findByRole("button", { name: "Mug" }))
  await waitFor(() => expect(screen.queryByRole("link", { name: "ord_1" })).not.toBeInTheDocument())
  expect(listReads(requests).at(-1)).toBe("GET /api/orders?reward_id=rew_mug&page=1&per_page=25")
})

test("is sorted over all pages, the longest waiting as those created first", async () => {
  const { user, requests, router } = openOrders("/orders?page=2", {
    orders: many(30).map((each, at) => ({ ...each, points_spent: at })),
  })
  await link("ord_26")
  await user.click(screen.getByRole("button", { name: "Points" }))
  await waitFor(() => expect(screen.getAllByRole("link", { name: /^ord_/ })[0]).toHaveTextContent("ord_30"))
  expect(router.state.location.searchStr).toBe("?sort=-points")
  expect(listReads(requests).at(-1)).toBe("GET /api/orders?sort=-points_spent&page=1&per_page=25")
  await router.navigate({ to: "/orders", search: { status: "to-ship", sort: "-waiting" } })
  await waitFor(() =>
    expect(listReads(requests)).toContain(
      "GET /api/orders?status=to-ship&sort=created_at&page=1&per_page=25",
    ),
  )
})

test.each([
  ["manager", 1000],
  ["fulfilment", 100],
] as const)("every match is selected by a %s in pages of %i", async (role, perPage) => {
  const { user, requests } = openOrders("/orders?status=pending", { orders: many(130), role })
  await user.click(await screen.findByRole("checkbox", { name: /^Select ord_2,/ }))
  const bar = within(screen.getByRole("region", { name: "Selected rows" }))
  await user.click(bar.getByRole("button", { name: "Select all 130" }))
  await waitFor(() => expect(bar.getByText("130")).toBeVisible())
  expect(listReads(requests)[1]).toBe(`GET /api/orders?status=pending&page=1&per_page=${perPage}`)
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

test("days and their orders are named", async () => {
  const { requests } = openOrders("/orders?from=2026-11-18&to=2026-11-18")
  await link("ord_1")
  expect(listReads(requests)).toEqual(["GET /api/orders?from=2026-11-18&to=2026-11-18&page=1&per_page=25"])
  expect(screen.getByText("1 order on 18 Nov 2026", { selector: "output" })).toBeVisible()
})

test("until every order is synced, days are filtered here, and search and sorting are not offered", async () => {
  openOrders("/orders?from=2026-11-18&to=2026-11-18&sort=-points", {
    state: syncing,
    orders: [
      order("ord_in", { created_at: "2026-11-17T14:00:00Z" }),
      order("ord_out", { created_at: "2026-11-18T14:00:00Z" }),
      order("ord_undated", { created_at: null }),
      ...many(30),
    ],
  })
  await link("ord_in")
  expect(screen.getByRole("link", { name: "ord_undated" })).toBeVisible()
  expect(screen.queryByRole("link", { name: "ord_out" })).not.toBeInTheDocument()
  expect(screen.getByText("2,300 of 10,000 orders synced")).toBeVisible()
  expect(screen.queryByRole("textbox", { name: /^Search: / })).not.toBeInTheDocument()
  expect(screen.queryByRole("button", { name: "Points" })).not.toBeInTheDocument()
  expect(screen.getByRole("link", { name: "Pending" })).toBeVisible()
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
  await user.click(screen.getByRole("button", { name: "Last page" }))
  expect(await screen.findByText("No orders match these filters")).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Clear the filters" }))
  await user.click(await screen.findByRole("button", { name: "All orders" }))
  expect(await screen.findByText("There are no orders yet")).toBeVisible()
  expect(router.state.location.searchStr).toBe("")
})

test("invalid search params fall back to defaults", async () => {
  const { requests } = openOrders("/orders?status=lost&page=-3&per_page=7&from=soon")
  await link("ord_1")
  expect(requests).toContain("GET /api/orders?page=1&per_page=25")
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
  const field = await searchField()
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

test("packing slips are printed for the oldest of all orders to ship", async () => {
  const orders = Array.from({ length: 120 }, (_, at) =>
    order(`ord_${at + 1}`, { created_at: new Date(Date.UTC(2026, 10, 18) - at * 3_600_000).toISOString() }),
  )
  openOrders("/orders?status=to-ship", { orders })
  expect(await screen.findByText("120 to ship, oldest first")).toBeVisible()
  const ids = (await screen.findByRole("link", { name: "Packing slips" })).getAttribute("href")
  expect(decodeURIComponent(ids ?? "")).toMatch(/ids=ord_120,ord_119,.*,ord_1$/)
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
