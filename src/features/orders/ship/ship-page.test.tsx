import { act, cleanup, createEvent, fireEvent, screen, waitFor, within } from "@testing-library/react"
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest"
import type { JobRow } from "../../../../contract/job-rows.ts"
import { useLiveUpdates } from "../../../api/events.ts"
import { cacheJobProgress } from "../../../api/jobs.ts"
import { ordersToShipQuery } from "../../../api/orders.ts"
import { synced } from "../../../../tests/support/members/made-up-list.ts"
import { resumeOutbox } from "./resume-outbox.ts"
import { stopShipping } from "./shipping.ts"
import { jobOf, rowOf } from "../../../../tests/support/ship/parcels.ts"
import { field, openShip, ready } from "../../../../tests/support/orders/open-ship.tsx"
import { ordersServer } from "../../../../tests/support/orders/open-orders.tsx"
import { useShipSound } from "./sound.ts"

afterEach(() => {
  stopShipping()
  vi.restoreAllMocks()
  useShipSound.setState({ isOn: true })
})

const scanFirst = async ({ keyboard }: Awaited<ReturnType<typeof openShip>>["user"], number: string) => {
  await keyboard("ord_1{Enter}")
  await field("Scan the parcel")
  await keyboard(`${number}{Enter}`)
}

describe("ship desk", () => {
  it("ships by keyboard alone: Enter opens the oldest order, the number and Enter save the parcel", async () => {
    const { user, made } = await openShip()
    await screen.findByText("3, oldest first")
    expect(await field("Scan the order")).toHaveFocus()
    await user.keyboard("{Enter}")
    expect(await screen.findByText("Drill 1", { selector: "section p" })).toBeVisible()
    expect(await screen.findByText("18 Ingham Road")).toBeVisible()
    expect(screen.getByText("2 items")).toBeVisible()
    expect(screen.getByText(/Quantity not certain/)).toBeVisible()
    await field("Scan the parcel")
    await user.keyboard("RB123456785AU{Enter}")
    expect(await screen.findByText("Scanned: Drill 1 for Ana Silva")).toBeVisible()
    // The next scan releases it.
    await user.keyboard("ord_2{Enter}")
    await field("Scan the parcel")
    await user.keyboard("RB123456799AU{Enter}")
    await waitFor(() => expect(made).toHaveLength(1))
    expect(made[0]?.input).toEqual({
      order_id: "ord_1",
      status: "shipped",
      tracking_number: "RB123456785AU",
      carrier: "Australia Post",
      expected: { status: "pending", tracking_number: null, carrier: null },
    })
    expect(made[0]?.key).toMatch(/^[0-9a-f]{32}$/)
    expect(made[0]?.of).toBe("user-fulfilment")
    expect(await screen.findByText("1 shipped here today")).toBeVisible()
    expect(screen.getByText("1, oldest first")).toBeVisible()
  })

  it("shows a pending order that has a number already, and Enter opens one without a number first", async () => {
    const order = { member_id: "mem_ana", points_spent: 9500, status: "pending" }
    const pending = [
      { ...order, order_id: "ord_1", reward_name: "Drill 1", tracking_number: "33QK12345678" },
      { ...order, order_id: "ord_2", reward_name: "Drill 2" },
    ]
    const { user } = await openShip({ pending })
    expect(await screen.findByText("2, oldest first")).toBeVisible()
    expect(screen.getByText("Has the number 33QK12345678")).toBeVisible()
    await field("Scan the order")
    await user.keyboard("{Enter}")
    expect(await screen.findByText("Drill 2", { selector: "section p" })).toBeVisible()
  })

  it("reads the queue past every cache on Refresh, and says while newer orders are synced", async () => {
    const reads: (string | null)[] = []
    const { user } = await openShip({
      handlers: {
        "GET /api/orders": ({ headers }) => {
          reads.push(headers.get("Cache-Control"))
          const state = { ...synced, syncing: reads.length > 1 }
          return Response.json({
            success: true,
            data: [],
            meta: { page: 1, per_page: 100, total: 0, ...state },
          })
        },
      },
    })
    await screen.findByText("Nothing to ship")
    await user.click(screen.getByRole("button", { name: "Refresh" }))
    await waitFor(() => expect(reads).toEqual([null, "no-cache"]))
    expect(await screen.findByText(/^Synced .*, syncing$/)).toBeVisible()
  })

  it("looks up a parcel's row as soon as an event reports a change of its job", async () => {
    let state: JobRow["state"] = "sent"
    const { user, made, queryClient } = await openShip({ row: () => ({ state }) })
    await ready()
    // Without an event the row is looked up after 15 s.
    useLiveUpdates.setState({ isLive: true })
    await scanFirst(user, "RB123456785AU")
    await user.keyboard("ord_2{Enter}")
    await waitFor(() => expect(made).toHaveLength(1))
    await screen.findByText("Saving…")
    state = "confirmed"
    act(() => cacheJobProgress(queryClient, jobOf("J-1")))
    expect(await screen.findByText("1 shipped here today")).toBeVisible()
  })

  it.each([
    ["RB123456784AU", "The check digit of RB123456784AU is wrong", /^A digit may be misread/],
    [
      "2026-11-18",
      "2026-11-18: This looks like a date: a spreadsheet may have changed it",
      /^Compare it with the label/,
    ],
  ])("asks whether the number %s is right, and says why", async (number, title, advice) => {
    const { user, made } = await openShip()
    await ready()
    await scanFirst(user, number)
    expect(await screen.findByText(title)).toBeVisible()
    expect(screen.getByText(advice)).toBeVisible()
    expect(screen.getByRole("button", { name: /^It’s right/ })).toBeVisible()
    expect(made).toHaveLength(0)
  })

  it("shows reward and recipient of shipped orders after a reload, and counts the team's parcels", async () => {
    const { user } = await openShip({
      handlers: {
        "GET /api/orders/shipped-today": () => ({
          since: "2026-11-18T00:00:00Z",
          orders: [1, 2, 3, 4].map((each) => ({
            order_id: `ord_${each}`,
            tracking_number: null,
            carrier: null,
            at: "2026-11-18T01:00:00Z",
            by: "Tom",
          })),
        }),
      },
    })
    await ready()
    await scanFirst(user, "RB123456785AU")
    await user.keyboard("ord_2{Enter}")
    expect(await screen.findByText("1 shipped here today, 4 by the team")).toBeVisible()
    cleanup()
    // The page's cache of orders is lost.
    await openShip({ pending: [] })
    const earlier = within(await screen.findByRole("region", { name: "Shipped earlier" }))
    expect(await earlier.findByText("Drill 1 for Ana Silva")).toBeVisible()
    expect(earlier.getByRole("link", { name: "ord_1" })).toHaveAttribute("href", "/orders/ord_1")
  })

  it("shows a recipient as soon as the name is known, and never the id after that", async () => {
    let known = false
    const names = () => ({
      names: known ? [{ id: "mem_ana", name: "Ana Silva" }] : [],
      missing: [],
      coming: [],
    })
    const pending = [{ order_id: "ord_1", member_id: "mem_ana", reward_name: "Drill 1", status: "pending" }]
    const { user, queryClient } = await openShip({
      pending,
      handlers: { "POST /api/members/names": names },
    })
    await screen.findByText("1, oldest first")
    await scanFirst(user, "RB123456785AU")
    expect(await screen.findByText("Scanned: Drill 1 for mem_ana")).toBeVisible()
    // The order leaves the list before its member's name is known.
    pending.pop()
    await queryClient.invalidateQueries({ queryKey: ordersToShipQuery().queryKey })
    known = true
    await queryClient.invalidateQueries({ queryKey: ["member-names"] })
    expect(await screen.findByText(/: Drill 1 for Ana Silva$/)).toBeVisible()
    known = false
    await queryClient.invalidateQueries({ queryKey: ["member-names"] })
    await user.keyboard("ord_9{Enter}")
    expect(await screen.findByText("ord_9 is cancelled")).toBeVisible()
    expect(screen.getAllByText("Drill 1 for Ana Silva")).not.toHaveLength(0)
    expect(screen.queryByText(/mem_ana/)).not.toBeInTheDocument()
  })

  it("announces and shows why a scan is refused, and saves nothing", async () => {
    const { user } = await openShip()
    await ready()
    await user.keyboard("ord_9{Enter}")
    expect(await screen.findByText("ord_9 is cancelled")).toBeVisible()
    const announced = screen.getByText("ord_9 is cancelled").closest("[aria-live]")
    expect(announced).toHaveAttribute("aria-live", "assertive")
    await user.keyboard("ord_1{Enter}")
    await field("Scan the parcel")
    await user.keyboard("9.4E+21{Enter}")
    expect(await screen.findByText(/A spreadsheet rounded this number/, { selector: "div" })).toBeVisible()
    expect(screen.queryByRole("region", { name: "Outbox" })).not.toBeInTheDocument()
  })

  it("chooses a carrier by one key, and undoes the parcel by another", async () => {
    timeStandsStill()
    const chosen: unknown[] = []
    const { user } = await openShip({
      handlers: {
        "POST /api/carriers/choice": ({ body }) => {
          chosen.push(body)
          return new Response(null, { status: 204 })
        },
      },
    })
    await ready()
    await scanFirst(user, "33ABC4401927")
    await field("Press the carrier’s number")
    await user.keyboard("2")
    expect(await screen.findByText("Scanned: Drill 1 for Ana Silva")).toBeVisible()
    expect(chosen).toEqual([{ number: "33ABC4401927", carrier: "startrack" }])
    await user.keyboard("u")
    expect(await screen.findByText("Undone: Drill 1 for Ana Silva")).toBeVisible()
    expect(screen.getByText("3, oldest first")).toBeVisible()
  })

  it("asks for no carrier offline, and shows the carrier found once connected", async () => {
    const { user } = await openShip()
    await screen.findByText("3, oldest first")
    const network = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false)
    window.dispatchEvent(new Event("offline"))
    await scanFirst(user, "RB123456785AU")
    expect(await screen.findByText(/No carrier yet/)).toBeVisible()
    expect(await screen.findByText(/^Offline since/)).toBeVisible()
    expect(screen.getByText("Scanned: Drill 1 for Ana Silva")).toBeVisible()
    network.mockReturnValue(true)
    window.dispatchEvent(new Event("online"))
    await waitFor(() => expect(screen.queryByText(/^Offline since/)).not.toBeInTheDocument())
    const shipped = await screen.findByRole("region", { name: "Shipped earlier" })
    expect(await within(shipped).findByText(/Australia Post/)).toBeVisible()
  })

  it("warns when signing out fails that scans stay on this device", async () => {
    const { user } = await openShip({
      handlers: { "DELETE /api/session": () => Promise.reject(new TypeError()) },
    })
    await screen.findByText("3, oldest first")
    const menu = () => screen.getByRole("button", { name: /Your menu/ })
    await user.click(menu())
    await screen.findByRole("menuitem", { name: "Sign out" })
    await user.keyboard("{Escape}")
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false)
    window.dispatchEvent(new Event("offline"))
    await scanFirst(user, "RB123456785AU")
    expect(await screen.findByText(/No carrier yet/)).toBeVisible()
    await user.click(menu())
    await user.click(await screen.findByRole("menuitem", { name: "Sign out" }))
    expect(
      await screen.findByText(/^You are still signed in\. .* 1 parcel in the outbox, kept on this device\.$/),
    ).toBeVisible()
  })

  it("shows choices instead of keys on a touch screen, and asks later when the next order is scanned", async () => {
    const touch = Object.assign(matchMedia("(pointer: coarse)"), { matches: true })
    vi.stubGlobal("matchMedia", () => touch)
    const { user } = await openShip()
    await ready()
    await scanFirst(user, "33ABC4401927")
    await field("Choose the carrier")
    await user.keyboard("ord_2{Enter}")
    expect(await screen.findByText("Drill 2", { selector: "section p" })).toBeVisible()
  })

  it("suggests the only likely carrier of an ambiguous number", async () => {
    const { user } = await openShip({
      handlers: {
        "POST /api/carriers/recognise": () => [
          { number: "123456789", carriers: ["tnt"], chosen: null, why: "asked", link: null },
        ],
      },
    })
    await ready()
    await user.keyboard("ord_1{Enter}")
    await field("Scan the parcel")
    await user.keyboard("123456789{Enter}")
    await field("Press the carrier’s number")
    expect(await screen.findByText(/^It’s probably TNT, but the number/)).toBeVisible()
    expect(screen.getByRole("button", { name: /^TNT/ })).toBeVisible()
  })

  it("opens another scanned order in place of the open one, with text, colour and sound", async () => {
    const { user } = await openShip()
    await ready()
    await user.keyboard("ord_1{Enter}")
    await field("Scan the parcel")
    await user.keyboard("ord_2{Enter}")
    const said = await screen.findByText("Switched to ord_2")
    expect(said.closest("[data-tone]")).toHaveAttribute("data-tone", "info")
    expect(screen.getByText("ord_1 is back in the queue; nothing was saved for it.")).toBeVisible()
    const queue = await screen.findByRole("complementary", { name: "To ship" })
    expect(within(queue).getByText("ord_2").closest("li")).toHaveAttribute("aria-current", "true")
    expect(within(queue).getByText("ord_1")).toBeVisible()
    await user.keyboard("RB123456785AU{Enter}")
    expect(await screen.findByText("Scanned: Drill 2 for Ana Silva")).toBeVisible()
  })

  it("shows only the beginning of a long scan", async () => {
    const scanned = "A1".repeat(50)
    const { user } = await openShip({ handlers: { [`GET /api/program/orders/${scanned}`]: notFound } })
    await ready()
    await user.keyboard(`${scanned}{Enter}`)
    expect(await screen.findByText(`No order has the id ${"A1".repeat(20)}…`)).toBeVisible()
  })

  it("ignores a second Enter of a scanner, or of a hand while the order is looked up", async () => {
    const response = Promise.withResolvers<object>()
    const none = () => new Response(null, { status: 204 })
    await openShip({
      handlers: {
        "GET /api/program/orders/RB123456785AU": notFound,
        "GET /api/program/orders/ord_77": () => response.promise,
        "GET /api/orders/ord_77/address": notFound,
        "PUT /api/orders/ord_77/claim": none,
        "DELETE /api/orders/ord_77/claim": none,
      },
    })
    await screen.findByText("3, oldest first")
    const input = await field("Scan the order")
    let now = 1e9
    const enter = (after: number) => {
      const event = createEvent.keyDown(input, { key: "Enter" })
      Object.defineProperty(event, "timeStamp", { value: (now += after) })
      fireEvent(input, event)
    }
    const scan = (code: string, ...enters: readonly number[]) => {
      fireEvent.input(input, { target: { value: code } })
      for (const after of [1000, ...enters]) enter(after)
    }
    scan("9.4E+21")
    expect(await screen.findByText("Not a valid tracking number")).toBeVisible()
    enter(4)
    scan("RB123456785AU")
    expect(await screen.findByText("No order has the id RB123456785AU")).toBeVisible()

    scan("ord_77", 1000)
    response.resolve({ order_id: "ord_77", member_id: "mem_ana", reward_name: "Drill 77", status: "pending" })
    expect(await screen.findByText("Drill 77", { selector: "section p" })).toBeVisible()
    scan("RB123456785AU")
    expect(await screen.findByText("Scanned: Drill 77 for Ana Silva")).toBeVisible()
    // A single Enter is a request for the next order.
    enter(1000)
    expect(await screen.findByText("Drill 1", { selector: "section p" })).toBeVisible()
  })

  it("undoes a sent parcel by an update within a minute; then Correct opens the form with the number", async () => {
    const later = vi.spyOn(Date, "now")
    const { user, made } = await openShip({
      handlers: {
        "GET /api/jobs/J-1/rows/4": () => rowOf("confirmed", { row: 4 }),
        "GET /api/program/orders/ord_2": () => ({
          order_id: "ord_2",
          reward_name: "Drill 2",
          ...(made.length < 2
            ? { status: "pending" }
            : {
                status: "shipped",
                fulfillment: {
                  type: "physical",
                  tracking_number: "RB123456799AU",
                  carrier: "Australia Post",
                },
              }),
        }),
        "GET /api/jobs": () => [],
      },
    })
    await ready()
    for (const [id, number] of [
      ["ord_1", "RB123456785AU"],
      ["ord_2", "RB123456799AU"],
      ["ord_3", "RB123456808AU"],
    ]) {
      await user.keyboard(`${id}{Enter}`)
      await field("Scan the parcel")
      await user.keyboard(`${number}{Enter}`)
      await field("Scan the order")
    }
    expect(await screen.findByText("2 shipped here today")).toBeVisible()
    const [, row] = within(screen.getByRole("region", { name: "Shipped earlier" })).getAllByRole("listitem")
    if (row === undefined) throw new Error("Two parcels were shipped.")
    await user.click(within(row).getByRole("button", { name: "Undo" }))
    expect(await screen.findByText("Undoing: Drill 1 for Ana Silva")).toBeVisible()
    const undone = () => made.filter(({ input }) => input["order_id"] === "ord_1")[1]?.input
    await waitFor(() => expect(undone()).toBeDefined())
    expect(undone()).toEqual({
      order_id: "ord_1",
      status: "pending",
      tracking_number: "",
      carrier: "",
      expected: { status: "shipped", tracking_number: "RB123456785AU", carrier: "Australia Post" },
    })
    const now = later.getMockImplementation() ?? (() => performance.timeOrigin + performance.now())
    later.mockImplementation(() => now() + 61_000)
    await user.click(await screen.findByRole("link", { name: "Correct ord_2" }))
    expect(await screen.findByRole("textbox", { name: /Tracking number/ })).toHaveValue("RB123456799AU")
    expect(screen.getByRole("dialog", { name: "Change ord_2" })).toBeVisible()
  })

  it("records in the browser that parcels wait, so that any page continues to send them", async () => {
    timeStandsStill()
    const { user } = await openShip()
    await ready()
    await scanFirst(user, "RB123456785AU")
    await screen.findByText("Scanned: Drill 1 for Ana Silva")
    expect(localStorage.getItem("laurel-outbox-user-fulfilment")).toBe("true")
    await user.keyboard("u")
    await screen.findByText("Undone: Drill 1 for Ana Silva")
    expect(localStorage.getItem("laurel-outbox-user-fulfilment")).toBe("false")
  })

  it("opens no outbox on other pages while none is recorded", async () => {
    expect(await resumeOutbox("u-2")).toBe(0)
    expect(localStorage.getItem("laurel-outbox-u-2")).toBeNull()
  })

  it("reads every page of the orders to ship", async () => {
    const pending = Array.from({ length: 150 }, (_, index) => ({
      order_id: `ord_${index + 100}`,
      status: "pending",
      reward_name: "Drill",
      created_at: "2026-11-18T00:00:00Z",
    }))
    const { requests } = await openShip({ handlers: ordersServer(pending) })
    expect(await screen.findByText("150, oldest first")).toBeVisible()
    expect(requests.filter((line) => line.startsWith("GET /api/orders?"))).toEqual([
      "GET /api/orders?status=to-ship&page=1&per_page=100",
      "GET /api/orders?status=to-ship&page=2&per_page=100",
    ])
  })

  it("remembers that sound is off", async () => {
    const { user } = await openShip()
    await user.click(await screen.findByRole("button", { name: "Sound" }))
    expect(screen.getByRole("button", { name: "Sound" })).toHaveAttribute("aria-pressed", "false")
    expect(localStorage.getItem("laurel-ship-sound")).toContain('"isOn":false')
  })

  it("loads nothing for a role that does not ship", async () => {
    const { requests } = await openShip({ role: "viewer" })
    expect(await screen.findByText("Your role can’t ship orders")).toBeVisible()
    expect(requests.filter((each) => each.includes("/jobs?") || each.includes("address"))).toEqual([])
  })
})

/** Parcels are sent after some seconds: stop the clock, so that a slow machine does not reach that. */
function timeStandsStill() {
  vi.useFakeTimers({ toFake: ["Date"] })
  onTestFinished(() => void vi.useRealTimers())
}

function notFound() {
  const error = { code: "not_found", message: "There is no such order.", requestId: "r" }
  return Response.json({ success: false, error }, { status: 404 })
}
