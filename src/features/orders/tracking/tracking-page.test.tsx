import { readFile } from "node:fs/promises"
import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, describe, expect, test, vi } from "vitest"
import type { Order } from "../../../../contract/program/order.ts"
import { orderUpdateRow } from "../../../../contract/kinds/order-update.ts"
import { FakeOrderJobs } from "../../../../tests/support/orders/fake-order-jobs.ts"
import { openOrders, order } from "../../../../tests/support/orders/open-orders.tsx"

type Opening = NonNullable<Parameters<typeof openOrders>[1]>

beforeEach(() => {
  // A window of 600 px with rows of 40: jsdom has no layout, so no row would be visible.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(40)
})

async function openFile(text: string, orders: readonly Order[], opening: Opening = {}) {
  const jobs = new FakeOrderJobs()
  const opened = openOrders("/orders/tracking-file", {
    orders,
    ...opening,
    handlers: { ...jobs.handlers, ...opening.handlers },
  })
  await screen.findByRole("button", { name: "Choose a file" })
  const input = document.querySelector<HTMLInputElement>("input[type=file]")
  if (input === null) throw new Error("There is no field for a file.")
  await opened.user.upload(input, new File([text], "tracking.csv", { type: "text/csv" }))
  const panel = within(await screen.findByRole("complementary", { name: "What will happen" }))
  return { ...opened, jobs, panel }
}

const button = async (panel: ReturnType<typeof within>, name: string) => {
  const found = await panel.findByRole("button", { name })
  await waitFor(() => expect(found).toBeEnabled())
  return found
}

const ids = (count: number) => Array.from({ length: count }, (_, at) => `ord_${at + 1}`)
const csv = (rows: readonly string[]) => ["order_id,tracking", ...rows].join("\n")

describe("tracking import", () => {
  test("reads 300 orders in few requests, recognises carriers, sends what was previewed and opens the job", async () => {
    const all = ids(300).map((id) => order(id))
    const rows = ids(300).map((id, at) => `${id},00340${String(at).padStart(9, "0")}`)
    const { panel, user, jobs, router, requests } = await openFile(csv(rows), all)
    await user.click(await button(panel, "Mark 300 orders shipped"))
    await waitFor(() => expect(router.state.location.pathname).toBe("/jobs/J-1"))
    expect(
      requests.filter((line) => /^GET \/api\/(program\/)?orders[?/]/.test(line)).length,
    ).toBeLessThanOrEqual(4)
    expect(jobs.rows).toHaveLength(300)
    expect(jobs.rows[7]).toEqual({
      order_id: "ord_8",
      tracking_number: "00340000000007",
      status: "shipped",
      carrier: "Australia Post",
      expected: { status: "pending", tracking_number: null, carrier: null },
    })
    expect(jobs.rows.every((row) => orderUpdateRow.safeParse(row).success)).toBe(true)
    expect(jobs.created).toMatchObject({
      kind: "order-update",
      options: { file: { name: "tracking.csv" }, title: "Tracking numbers from tracking.csv" },
    })
  })

  test("shows before and after side by side, and marks rows without a change", async () => {
    const orders = [
      order("ord_1"),
      order("ord_2", { status: "shipped", tracking_number: "T-2", carrier: "Australia Post" }),
      order("ord_3", { status: "completed" }),
    ]
    const { panel, user } = await openFile(csv(["ord_1,T-1", "ord_2,T-2", "ord_3,T-3"]), orders)
    await button(panel, "Update 2 orders")
    expect(panel.getByText("About 6 s.", { exact: false })).toBeVisible()
    await user.click(screen.getByText("What changes"))
    const table = within(await screen.findByRole("table", { name: "What changes" }))
    const [first, second, third] = table.getAllByRole("row").slice(1)
    expect(first).toHaveTextContent("ord_1PendingShippedT-1Australia Post")
    expect(second).toHaveTextContent("ord_2Nothing to change")
    // Completed comes after shipped: a file without a status does not move an order back.
    expect(third).toHaveTextContent("ord_3CompletedT-3Australia Post")
  })

  test("refuses unknown orders, and asks about cancelled, digital and numbered ones", async () => {
    const orders = [
      order("ord_1", { status: "cancelled" }),
      order("ord_2", { fulfillment: { type: "digital" } }),
      order("ord_3", { tracking_number: "OLD-1" }),
      order("ord_4"),
      order("ord_5"),
    ]
    const text = csv(["ord_1,T-1", "ord_2,T-2", "ord_3,T-3", "ord_4,T-4", "ord_5,T-5", "ord_99,T-9"])
    const { panel, user } = await openFile(text, orders, {
      handlers: {
        "GET /api/program/orders/ord_99": () =>
          Response.json(
            { success: false, error: { code: "not_found", message: "No.", requestId: "r-1" } },
            { status: 404 },
          ),
        "POST /api/orders/used-numbers": () => ({
          used: [
            { number: "T-4", order_id: "ord_77", where: "order", job: null, at: "2026-11-20T00:00:00Z" },
            { number: "T-5", order_id: "ord_5", where: "job", job: "J-0", at: "2026-11-20T00:00:00Z" },
          ],
          looked: { rows: 1, since: null, orders: 1, oldest_order_copy: null },
        }),
      },
    })
    await button(panel, "Mark 1 order shipped")
    for (const words of [
      "Cancelled",
      "Digital code: nothing to ship",
      "Has OLD-1 now, which will be replaced",
      "Already on order ord_77",
      "The service has no such order",
    ]) {
      expect(await screen.findByText(words)).toBeInTheDocument()
    }
    await user.click(screen.getByRole("button", { name: "Keep row 4" }))
    await button(panel, "Mark 2 orders shipped")
    expect(panel.getByText("Number replaced")).toBeVisible()
  })

  test("asks about an ambiguous carrier once per number shape, and applies the choice to all its rows", async () => {
    let known = false
    const rows = ["ord_1,7700000001", "ord_2,7700000002", "ord_3,99AA"]
    const { panel, user, jobs, router } = await openFile(
      csv(rows),
      ids(3).map((id) => order(id)),
      {
        handlers: {
          "POST /api/carriers/recognise": ({ body }) =>
            (body as { numbers: string[] }).numbers.map((number) => {
              const chosen = known && number.startsWith("7700") ? "dhl" : null
              return { number, carriers: ["dhl", "fedex"], chosen, why: "asked", link: null }
            }),
          "POST /api/carriers/choice": ({ body }) => {
            expect(body).toEqual({ number: "7700000001", carrier: "dhl" })
            known = true
            return new Response(null, { status: 204 })
          },
        },
      },
    )
    const question = within(await panel.findByRole("group", { name: "2 numbers like 7700000001" }))
    expect(panel.getByRole("group", { name: "1 number like 99AA" })).toBeVisible()
    await user.click(question.getByRole("button", { name: "DHL" }))
    await waitFor(() => expect(panel.queryByRole("group", { name: /7700000001/ })).not.toBeInTheDocument())
    await user.click(await button(panel, "Mark 3 orders shipped"))
    await waitFor(() => expect(router.state.location.pathname).toBe("/jobs/J-1"))
    expect(jobs.rows.map(({ carrier }) => carrier)).toEqual(["DHL", "DHL", undefined])
  })

  test("shows the cost of reading further orders, and sends unread ones guarded against another number", async () => {
    const orders = ids(40).map((id) => order(id, { status: "shipped" }))
    const { panel, user, jobs, router } = await openFile(csv(ids(40).map((id) => `${id},T-${id}`)), orders)
    const title = "20 order numbers are not in the list of orders to ship. Check the column."
    expect(await panel.findByText(title)).toBeVisible()
    expect(panel.getByText(/^ord_21, ord_22, .+ ord_40\. If one/)).toBeVisible()
    expect(panel.getByRole("button", { name: "Compare them (about 20 s)" })).toBeVisible()
    await user.click(await button(panel, "Update 40 orders"))
    await waitFor(() => expect(router.state.location.pathname).toBe("/jobs/J-1"))
    expect(jobs.rows[39]?.["expected"]).toEqual({ tracking_number: null })
  })

  test("matches the file's carrier by name or code, case-insensitively; any other is sent as written", async () => {
    const text =
      "order_id,tracking,carrier\nord_1,T-1,auspost\nord_2,T-2,australia post\nord_3,T-3,Kangaroo Post"
    const { panel, user, jobs, router } = await openFile(
      text,
      ids(3).map((id) => order(id)),
    )
    await user.click(await button(panel, "Mark 3 orders shipped"))
    await waitFor(() => expect(router.state.location.pathname).toBe("/jobs/J-1"))
    expect(jobs.rows.map(({ carrier }) => carrier)).toEqual([
      "Australia Post",
      "Australia Post",
      "Kangaroo Post",
    ])
  })

  test("clears the previous carrier for another number", async () => {
    const numbered = { status: "shipped", tracking_number: "OLD-1", carrier: "UPS" }
    const orders = [order("ord_1", numbered), order("ord_2", { ...numbered, tracking_number: "99AA" })]
    const { panel, user, jobs, router } = await openFile(csv(["ord_1,99AA", "ord_2,99AA-"]), orders, {
      handlers: {
        "POST /api/carriers/recognise": ({ body }) =>
          (body as { numbers: string[] }).numbers.map((number) => {
            return { number, carriers: [], chosen: null, why: "unknown", link: null }
          }),
      },
    })
    await user.click(await screen.findByRole("button", { name: "Keep row 2" }))
    await user.click(await screen.findByRole("button", { name: "Keep row 3" }))
    await user.click(await button(panel, "Update 2 orders"))
    await waitFor(() => expect(router.state.location.pathname).toBe("/jobs/J-1"))
    expect(jobs.rows.map(({ carrier }) => carrier)).toEqual(["", undefined])
  })

  test("resolves short forms to the only match, removes blanks of recognised numbers, and notes a second parcel", async () => {
    const orders = [order("ord_20411"), order("ord_20412"), order("ord_120412")]
    const rows = ["#20411,RB 400073511 AU", "Order #20412,33QK12345678", "Order #20412,33QK12345679"]
    const { panel, user, jobs, router } = await openFile(csv(rows), orders)
    await screen.findByText("Second parcel of the order in row 3: keep it as a note?")
    await user.click(screen.getByRole("button", { name: "Keep row 4" }))
    await user.click(await button(panel, "Mark 2 orders shipped"))
    await waitFor(() => expect(router.state.location.pathname).toBe("/jobs/J-1"))
    expect(jobs.rows).toMatchObject([
      { order_id: "ord_20411", tracking_number: "RB400073511AU", carrier: "Australia Post" },
      { order_id: "ord_20412", tracking_number: "33QK12345678", also: ["33QK12345679"] },
    ])
    expect(jobs.rows.every((row) => orderUpdateRow.safeParse(row).success)).toBe(true)
  })

  test("lists short forms that were not looked up and does not send them", async () => {
    const orders = ids(40).map((id) => order(id.replace("_", "_204"), { status: "shipped" }))
    const rows = orders.map(({ order_id: id }) => `${id.replace("ord_", "#")},T-${id}`)
    const { panel, user, jobs, router } = await openFile(csv(["ord_2041,T-0", ...rows.slice(1)]), orders)
    expect(await panel.findByText(/not looked up: not sent until compared/)).toBeVisible()
    await button(panel, "Update 20 orders")
    await user.click(panel.getByRole("button", { name: /^Compare them/ }))
    await user.click(await button(panel, "Update 40 orders"))
    await waitFor(() => expect(router.state.location.pathname).toBe("/jobs/J-1"))
    for (const { order_id } of jobs.rows) expect(order_id).toMatch(/^ord_204\d+$/)
  })

  test("leaves out a short form with several matches, with their ids", async () => {
    const orders = [order("ord_20411"), order("ret_20411"), order("ord_1")]
    const { panel } = await openFile(csv(["#20411,T-1", "ord_1,T-2"]), orders)
    await button(panel, "Mark 1 order shipped")
    expect(await screen.findByText("Fits ord_20411 and ret_20411: enter the whole id")).toBeInTheDocument()
  })

  test("sends the valid rows of a faulty file and shows how many are left out", async () => {
    const text = await readFile("tests/fixtures/csv/tracking.csv", "utf-8")
    const orders = ids(12).map((id) => order(id))
    const { panel } = await openFile(text, orders)
    await button(panel, "Update 4 orders")
    expect(panel.getByText("6 with errors, 1 duplicate, 4 to check")).toBeVisible()
    expect(await screen.findByText("Rounded by a spreadsheet: its last digits are lost")).toBeInTheDocument()
  })
})

test("shows a viewer who can change orders", async () => {
  openOrders("/orders/tracking-file", { role: "viewer" })
  expect(await screen.findByText("Changing orders requires the Fulfilment role")).toBeVisible()
})
