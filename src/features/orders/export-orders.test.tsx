import { screen, within } from "@testing-library/react"
import { afterEach, expect, test, vi } from "vitest"
// The dialog's lazy chunk, preloaded so that no test waits for it.
import "./export-orders.tsx"
import { readWorkbook } from "../../import/excel/workbook.ts"
import { synced, syncing } from "../../../tests/support/members/made-up-list.ts"
import { elsewhere, openOrders, order, ordersServer } from "../../../tests/support/orders/open-orders.tsx"

const saved = vi.hoisted(() => [] as { name: string; content: Blob }[])
vi.mock("../../lib/save-file.ts", () => ({
  saveFile: (name: string, content: Blob) => saved.push({ name, content }),
}))
afterEach(() => saved.splice(0))

const lines = async () => ((await saved[0]?.content.text()) ?? "").replace("\uFEFF", "").split("\r\n")
const address = {
  name: "=Ana",
  line1: "14 Reef St",
  city: "Noosa Heads",
  state: "QLD",
  postal_code: "4567",
  country: "AU",
}
const addresses = ({ body }: { body: unknown }) =>
  (body as { ids: string[] }).ids.map((id) =>
    id === "ord_2"
      ? { ...elsewhere(id), address, why_none: null, quantity: { pieces: 1, inferred: false } }
      : elsewhere(id),
  )

test("export writes what the filters match: ticket first, addresses, quantities with source, formula-safe", async () => {
  const exports: unknown[] = []
  const tickets: (string | null)[] = []
  const orders = Array.from({ length: 130 }, (_, at) => order(`ord_${at + 1}`, { tracking_number: "0091" }))
  const { user } = openOrders("/orders?open=export&member=mem_ana", {
    orders,
    handlers: {
      "POST /api/exports": ({ body }) => {
        exports.push(body)
        return { id: "exp-1" }
      },
      "POST /api/orders/addresses": addresses,
      "GET /api/orders": (request) => {
        if (request.query.get("per_page") === "1000") tickets.push(request.headers.get("X-Laurel-Export"))
        return ordersServer(orders)["GET /api/orders"]?.(request)
      },
    },
  })
  await screen.findByRole("link", { name: "ord_1" })
  await user.click(await screen.findByRole("button", { name: "Export 130 orders" }))
  expect(await screen.findByText("130 rows were exported")).toBeVisible()
  expect(exports).toEqual([{ kind: "orders", filter: { member_id: "mem_ana" } }])
  expect(tickets).toEqual(["exp-1"])
  const [head, first, second] = await lines()
  expect(head?.split(",").slice(0, 3)).toEqual(["order_id", "status", "created_at"])
  expect(first).toContain(",Ana Silva,0091,,2,yes,")
  expect(first).toContain("not redeemed with Laurel")
  expect(second).toContain(`0091,,1,,"'=Ana",14 Reef St,,Noosa Heads,QLD,4567,AU,`)
  expect(await lines()).toHaveLength(131)
})

test("export of a list that keeps changing continues on request, with the chosen separator", async () => {
  const orders = Array.from({ length: 1300 }, (_, at) => order(`ord_${at + 1}`))
  let total = 1300
  const { user } = openOrders("/orders?open=export&member=mem_ana", {
    orders,
    handlers: {
      "POST /api/exports": () => ({ id: "exp-1" }),
      "POST /api/orders/addresses": addresses,
      "GET /api/orders": ({ query }) => {
        const page = Number(query.get("page") ?? 1)
        const perPage = Number(query.get("per_page") ?? 25)
        const data = orders.slice((page - 1) * perPage, page * perPage)
        return Response.json({
          success: true,
          data,
          meta: { ...synced, page, per_page: perPage, total: (total += 1) },
        })
      },
    },
  })
  await screen.findByRole("link", { name: "ord_1" })
  await user.selectOptions(await screen.findByLabelText("File type"), "CSV with semicolons")
  await user.click(screen.getByRole("button", { name: /^Export \d/ }))
  await user.click(await screen.findByRole("button", { name: /^Export what was there at \d/ }))
  expect(await screen.findByText("1,300 rows were exported")).toBeVisible()
  expect(screen.getByText(/It has what was there at \d/)).toBeVisible()
  expect((await lines())[0]).toMatch(/^order_id;status;created_at/)
})

test("until every order is synced, export leaves out rows outside the days and writes how many there are", async () => {
  const orders = [order("ord_in"), order("ord_out", { created_at: "2026-11-17T00:00:00Z" })]
  const { user } = openOrders("/orders?open=export&from=2026-11-18&to=2026-11-18", {
    orders,
    state: syncing,
    handlers: {
      "GET /api/program/orders": () => orders,
      "POST /api/exports": () => ({ id: "exp-1" }),
      "POST /api/orders/addresses": addresses,
    },
  })
  expect(await screen.findByText(/The total isn’t known until the end/)).toBeVisible()
  await user.click(await screen.findByRole("button", { name: "Export orders" }))
  expect(await screen.findByText("1 row was exported")).toBeVisible()
  expect(await lines()).toHaveLength(2)
})

test("a selection is exported as shown, without requests to the service", async () => {
  const { requests, user } = openOrders("/orders", {
    orders: [order("ord_1"), order("ord_2")],
    handlers: { "POST /api/exports": () => ({ id: "exp-1" }), "POST /api/orders/addresses": addresses },
  })
  await user.click(await screen.findByRole("checkbox", { name: /^Select ord_2/ }))
  const before = requests.filter((line) => line.includes("/orders?")).length
  const bar = within(screen.getByRole("region", { name: "Selected rows" }))
  await user.click(bar.getByRole("button", { name: "Export" }))
  expect(await screen.findByText(/A file with 1 order, as shown/)).toBeVisible()
  await user.click(await screen.findByRole("button", { name: "Export 1 order" }))
  expect(await screen.findByText("1 row was exported")).toBeVisible()
  expect(requests.filter((line) => line.includes("/orders?"))).toHaveLength(before)
  expect((await lines())[1]).toMatch(/^ord_2,/)
})

test("a selection is exported as an Excel file on request", async () => {
  const { user } = openOrders("/orders", {
    orders: [order("ord_1"), order("ord_2")],
    handlers: { "POST /api/exports": () => ({ id: "exp-1" }), "POST /api/orders/addresses": addresses },
  })
  await user.click(await screen.findByRole("checkbox", { name: /^Select ord_2/ }))
  const bar = within(screen.getByRole("region", { name: "Selected rows" }))
  await user.click(bar.getByRole("button", { name: "Export" }))
  await user.selectOptions(await screen.findByLabelText("File type"), "Excel (.xlsx)")
  await user.click(screen.getByRole("button", { name: "Export 1 order" }))
  expect(await screen.findByText("1 row was exported")).toBeVisible()
  const [file] = saved
  expect(file?.name).toMatch(/^Orders .*\.xlsx$/)
  const { rows } = await readWorkbook(file?.content ?? new Blob(), {}, () => {})
  expect(rows[0]?.slice(0, 2)).toEqual(["order_id", "status"])
  expect(rows[1]?.[0]).toBe("ord_2")
})

test("a role without the export capability is not offered it, nor reaches it by link", async () => {
  openOrders("/orders?open=export", { role: "fulfilment" })
  await screen.findByRole("link", { name: "ord_1" })
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument()
  expect(screen.getByRole("button", { name: "Export" })).toHaveAttribute("aria-disabled", "true")
})
