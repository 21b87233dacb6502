import { screen, waitFor, within } from "@testing-library/react"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import type { OrderAddress } from "../../../contract/orders.ts"
import { elsewhere, openOrders, order } from "../../../tests/support/orders/open-orders.tsx"

const captured: OrderAddress = {
  ...elsewhere("ord_1"),
  why_none: null,
  captured_at: "2026-11-18T02:00:00Z",
  quantity: { pieces: 1, inferred: false },
  address: {
    name: "Ana Silva",
    line1: "3 Reef St",
    city: "Gympie",
    state: "QLD",
    postal_code: "4570",
    country: "AU",
  },
}
const untold = (id: string): OrderAddress => ({
  ...elsewhere(id),
  quantity: { pieces: null, inferred: true },
})

const orders = [
  order("ord_1"),
  order("ord_2", { member_id: "mem_bec" }),
  order("ord_3", { reward_id: "rew_cup", reward_name: "Cup" }),
  order("ord_4", { status: "cancelled" }),
  order("ord_5", { fulfillment: { type: "digital" } }),
]
const goes: Readonly<Record<string, OrderAddress>> = { ord_1: captured, ord_3: untold("ord_3") }

const print = vi.fn<() => void>()
beforeEach(() => {
  vi.stubGlobal("print", print)
  localStorage.removeItem("laurel-paper")
})
afterEach(() => print.mockClear())

const addresses = {
  "POST /api/orders/addresses": ({ body }: { body: unknown }) =>
    (body as { ids: string[] }).ids.map((id) => goes[id] ?? elsewhere(id)),
}

function open(search: string, opening: Parameters<typeof openOrders>[1] = {}) {
  return openOrders(`/orders/print?${search}`, {
    orders,
    ...opening,
    handlers: { ...addresses, ...opening.handlers },
  })
}

const slip = async (id: string) =>
  within(await screen.findByRole("article", { name: `Packing slip of ${id}` }))

describe("packing slips", () => {
  test("have one page per order, with a placeholder for what is unknown", async () => {
    open("ids=ord_1,ord_2,ord_3", { names: { mem_ana: "Ana Silva", mem_bec: "Bec Hargreaves" } })
    const one = await slip("ord_1")
    expect(await one.findByText("Ana Silva 3 Reef St Gympie QLD 4570 AUSTRALIA")).toBeInTheDocument()
    expect(one.getByRole("img", { name: "Barcode of ord_1" })).toBeInTheDocument()
    const items = within(one.getByRole("table"))
    expect(items.getByRole("cell", { name: "1" })).toBeInTheDocument()

    const two = await slip("ord_2")
    expect(two.getByText("Address: see carrier label.")).toBeInTheDocument()
    expect(two.getByText(/not redeemed with Laurel/)).toBeInTheDocument()
    expect(await two.findAllByText("Bec Hargreaves")).not.toHaveLength(0)
    expect(two.getByText("Estimated from the points spent.")).toBeInTheDocument()

    const three = await slip("ord_3")
    expect(three.getByText("Unknown")).toBeInTheDocument()
    expect(three.getAllByText("Sandbox")).not.toHaveLength(0)
  })

  test("leave out cancelled and digital orders with a note", async () => {
    open("ids=ord_1,ord_4,ord_5")
    await slip("ord_1")
    expect(await screen.findByText("2 orders left out")).toBeVisible()
    expect(screen.getByText("ord_4 was cancelled, ord_5 is sent as a code.")).toBeVisible()
    expect(screen.getAllByRole("article")).toHaveLength(1)
  })

  test("are printed only once everything is loaded, with one click", async () => {
    const addresses = Promise.withResolvers<unknown>()
    const { user } = open("ids=ord_1", {
      handlers: { "POST /api/orders/addresses": () => addresses.promise },
    })
    await slip("ord_1")
    const button = screen.getByRole("button", { name: "Print" })
    expect(button).toBeDisabled()
    addresses.resolve([captured])
    await waitFor(() => expect(button).toBeEnabled())
    await user.click(button)
    expect(print).toHaveBeenCalledOnce()
  })

  test("wait for the data on Ctrl P and print once", async () => {
    const addresses = Promise.withResolvers<unknown>()
    const { user } = open("ids=ord_1", {
      handlers: { "POST /api/orders/addresses": () => addresses.promise },
    })
    await slip("ord_1")
    await user.keyboard("{Control>}pp{/Control}")
    expect(screen.getByText("Prints when everything is loaded")).toBeVisible()
    expect(print).not.toHaveBeenCalled()
    // Printed from the browser's menu meanwhile, the page explains why it is empty.
    expect(screen.getByText(/Not everything is loaded yet/)).toBeInTheDocument()
    addresses.resolve([captured])
    await waitFor(() => expect(print).toHaveBeenCalledOnce())
    expect(screen.queryByText(/Not everything is loaded yet/)).not.toBeInTheDocument()
  })

  test("show a date without a time, no internal ids, and the country's name", async () => {
    const abroad = {
      ...captured,
      address: { ...captured.address, postal_code: "00000", country: "HK" },
    } as OrderAddress
    open("ids=ord_1", {
      names: {},
      handlers: { "POST /api/orders/addresses": () => [abroad] },
    })
    const one = await slip("ord_1")
    expect(await one.findByText("Ana Silva 3 Reef St Gympie QLD HONG KONG")).toBeInTheDocument()
    expect(one.getByText("18 November 2026")).toBeInTheDocument()
    const { textContent: text } = screen.getByRole("article")
    expect(text).not.toMatch(/rew_|mem_|\d:\d|Priya/)
  })

  test("are printed without unknown orders, which are named", async () => {
    open("ids=ord_1,ord_99", {
      handlers: {
        "GET /api/program/orders/ord_99": () =>
          Response.json(
            { success: false, error: { code: "not_found", message: "No.", requestId: "r-1" } },
            { status: 404 },
          ),
      },
    })
    await slip("ord_1")
    expect(await screen.findByText("ord_99")).toBeVisible()
    await waitFor(() => expect(screen.getByRole("button", { name: "Print" })).toBeEnabled())
  })

  test("print 200 orders together with few requests for types; more are refused", async () => {
    const many = Array.from({ length: 203 }, (_, at) => order(`ord_${at + 100}`))
    const { requests } = open(`ids=${many.map(({ order_id }) => order_id).join(",")}`, { orders: many })
    await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(200))
    expect(screen.getByText("Only the first 200 orders are printed at once")).toBeVisible()
    expect(
      requests.filter((line) => /^GET \/api\/(program\/)?orders[?/]/.test(line)).length,
    ).toBeLessThanOrEqual(4)
  })
})

test("pick list sums up rewards, with their orders", async () => {
  const { user, router } = open("ids=ord_1,ord_2,ord_3")
  await slip("ord_1")
  await user.click(screen.getByText("Pick list"))
  const paper = within(await screen.findByRole("article", { name: "Pick list" }))
  expect(router.state.location.search).toMatchObject({ what: "pick" })
  expect(paper.getByText("3 orders, 3 items, and 1 order of unknown quantity")).toBeInTheDocument()
  const tables = paper.getAllByRole("table")
  expect(tables).toHaveLength(2)
  const kits = within(tables[1] ?? document.body)
  expect(kits.getByRole("columnheader", { name: "Drill kit" })).toBeInTheDocument()
  expect(kits.getByText("3 ×")).toBeInTheDocument()
  expect(kits.getByText(/partly estimated/)).toBeInTheDocument()
  expect(kits.getAllByRole("img").map((each) => each.getAttribute("aria-label"))).toEqual([
    "Barcode of ord_1",
    "Barcode of ord_2",
  ])
})

test("paper size is chosen once and remembered", async () => {
  const { user } = open("ids=ord_1")
  await slip("ord_1")
  expect(document.querySelector("[data-paper]")).toHaveAttribute("data-paper", "a4")
  await user.click(screen.getByText("Letter"))
  expect(document.querySelector("[data-paper]")).toHaveAttribute("data-paper", "letter")
  expect(localStorage.getItem("laurel-paper")).toContain('"paper":"letter"')
})

test("slips fit labels and have the sender's address; lists use full sheets", async () => {
  const { user } = open("ids=ord_1", {
    handlers: { "GET /api/settings/sender": () => ({ address: "Laurel Rewards\n1 Dock Road" }) },
  })
  const paper = () => document.querySelector("[data-paper]")
  expect(await (await slip("ord_1")).findByText(/1 Dock Road/)).toBeInTheDocument()
  await user.click(screen.getByText("4×6 in"))
  expect(paper()).toHaveAttribute("data-paper", "4x6")
  await user.click(screen.getByText("Pick list"))
  await screen.findByRole("article", { name: "Pick list" })
  expect(paper()).toHaveAttribute("data-paper", "a4")
  expect(screen.queryByText("A6")).not.toBeInTheDocument()
})

test("end-of-day list has one page per carrier to sign", async () => {
  const parcel = (id: string, carrier: string | null) => ({
    order_id: id,
    tracking_number: `N-${id}`,
    carrier,
    at: "2026-11-18T05:00:00Z",
    by: "Tom",
  })
  const { requests } = open("what=day", {
    handlers: {
      "GET /api/orders/shipped-today": () => ({
        since: "2026-11-17T14:00:00Z",
        orders: [parcel("ord_1", "TNT"), parcel("ord_2", "Aramex"), parcel("ord_3", "TNT")],
      }),
    },
  })
  const tnt = within(await screen.findByRole("article", { name: "Parcels for TNT" }))
  expect(tnt.getByText("2 parcels shipped today")).toBeInTheDocument()
  expect(tnt.getByText("N-ord_3")).toBeInTheDocument()
  expect(tnt.getByText("Signature")).toBeInTheDocument()
  expect(screen.getAllByRole("article")).toHaveLength(2)
  await waitFor(() => expect(screen.getByRole("button", { name: "Print" })).toBeEnabled())
  expect(requests.filter((line) => line.includes("/api/program/"))).toEqual([])
})

test("a viewer sees who can print slips; no address is requested", async () => {
  const { requests } = open("ids=ord_1", { role: "viewer" })
  expect(await screen.findByText("Printing slips requires the Fulfilment role")).toBeVisible()
  expect(requests.filter((line) => line.includes("/addresses"))).toEqual([])
})

test("print page without orders links to the list", async () => {
  open("what=nonsense")
  expect(await screen.findByText("No orders selected")).toBeVisible()
})
