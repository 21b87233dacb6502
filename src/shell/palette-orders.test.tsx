import { screen, waitFor } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { afterEach, expect, it, vi } from "vitest"
import { firstCarriers } from "../../contract/orders.ts"
import { ordersQuery } from "../api/orders.ts"
import { emptyLists, refusal, renderApp, sessionOf } from "../../tests/support/test-app.tsx"

afterEach(() => {
  vi.restoreAllMocks()
})

const order = {
  order_id: "ord_20398",
  reward_name: "Drill kit",
  status: "shipped",
  tracking_number: "0091",
  carrier: "Australia Post",
}

async function openPalette() {
  const app = renderApp("/nowhere", {
    "GET /api/session": () => sessionOf("manager"),
    "GET /api/status/budget": () => [],
    ...emptyLists,
    "GET /api/program/members": () => [],
    "GET /api/program/orders": () => [{ order_id: "ord_1" }],
    "GET /api/program/orders/ord_20398": () => order,
    "GET /api/program/orders/ord_777": () => refusal(404, "not_found"),
    "GET /api/cards": () => [],
    "GET /api/settings/carriers": () => firstCarriers,
  })
  const user = userEvent.setup()
  await screen.findByText("Page not found")
  await user.keyboard("{Control>}k{/Control}")
  await screen.findByRole("combobox")
  return { ...app, user }
}

it("opens an order by its digits alone: the letters are those of orders that were read", async () => {
  const { user, router, requests } = await openPalette()
  const go = vi.spyOn(router, "navigate").mockResolvedValue(undefined)
  await user.paste("20398")
  expect(await screen.findByRole("option", { name: /^ord_20398/ })).toHaveTextContent("Drill kit, Shipped")
  await user.keyboard("{Enter}")
  expect(go).toHaveBeenCalledWith({ href: "/orders/ord_20398" })
  const asked = requests.filter((line) => line.startsWith("GET /api/program/orders"))
  expect(asked).toEqual(["GET /api/program/orders?page=1&per_page=25", "GET /api/program/orders/ord_20398"])
})

it.each(["#20398", "ORD-20398", "Order #20398"])("opens an order by %s", async (text) => {
  const { user, router } = await openPalette()
  const go = vi.spyOn(router, "navigate").mockResolvedValue(undefined)
  await user.paste(text)
  expect(await screen.findByRole("option", { name: /^ord_20398/ })).toBeVisible()
  await user.keyboard("{Enter}")
  expect(go).toHaveBeenCalledWith({ href: "/orders/ord_20398" })
})

it("leads to the carrier's page about its parcel", async () => {
  const { user } = await openPalette()
  const opened = vi.spyOn(globalThis, "open").mockReturnValue(null)
  await user.paste("ord_20398")
  await screen.findByRole("option", { name: /^Track 0091 at Australia Post/ })
  await user.keyboard("{ArrowDown}{Enter}")
  expect(opened).toHaveBeenCalledWith(
    "https://auspost.com.au/mypost/track/details/0091",
    "_blank",
    "noopener,noreferrer",
  )
})

it("waits for the order when Enter comes first, and shows none that is not there", async () => {
  const { user, router } = await openPalette()
  const go = vi.spyOn(router, "navigate").mockResolvedValue(undefined)
  await user.keyboard("ord_20398{Enter}")
  await waitFor(() => expect(go).toHaveBeenCalledWith({ href: "/orders/ord_20398" }))
})

it("shows no order that is not there", async () => {
  const { user, requests } = await openPalette()
  await user.paste("ord_777")
  await waitFor(() => expect(requests).toContain("GET /api/program/orders/ord_777"))
  expect(screen.queryByRole("option", { name: /^ord_777/ })).not.toBeInTheDocument()
})

it("finds an order by its member's name for packers, and says how many orders were searched", async () => {
  const { queryClient } = renderApp("/nowhere", {
    "GET /api/session": () => sessionOf("fulfilment"),
    "GET /api/status/budget": () => [],
    ...emptyLists,
    "GET /api/settings/carriers": () => firstCarriers,
    "POST /api/members/names": () => ({
      names: [{ id: "mem_1", name: "Ana Silva" }],
      missing: [],
      coming: [],
    }),
  })
  const user = userEvent.setup()
  await screen.findByText("Page not found")
  const query = ordersQuery({ page: 1, per_page: 25 })
  queryClient.setQueryData(query.queryKey, {
    data: [{ ...order, order_id: "ord_1", member_id: "mem_1" }, order],
    at: Date.now(),
    age: 0,
    stale: false,
    meta: undefined,
  })
  await user.keyboard("{Control>}k{/Control}")
  await user.type(await screen.findByRole("combobox"), "silva")
  expect(await screen.findByRole("option", { name: /^ord_1/ })).toBeVisible()
  await user.type(screen.getByRole("combobox"), "x")
  expect(
    await screen.findByText("No order with this name in the last 2 loaded. Search by order number."),
  ).toBeVisible()
})
