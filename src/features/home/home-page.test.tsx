import { cleanup, screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { expect, test } from "vitest"
import type { Role } from "../../../contract/roles.ts"
import { ordersKey } from "../../api/orders.ts"
import { dayAt, addDays } from "../../../contract/zoned-days.ts"
import { refusal, renderApp, type Handlers } from "../../../tests/support/test-app.tsx"
import { rereadChanged } from "./home-data.ts"
import { noFacets, syncing } from "../../../tests/support/members/made-up-list.ts"
import { ordersServer } from "../../../tests/support/orders/open-orders.tsx"
import {
  busy,
  dayReport,
  dayRow,
  homeServer,
  jobNeedingDecision,
  line,
} from "../../../tests/support/home/home-server.ts"

async function open(role: Role, further: Handlers = {}) {
  const app = renderApp("/", homeServer(role, further))
  await screen.findByRole("heading", { level: 1, name: "Today" })
  return { ...app, user: userEvent.setup({ delay: null }) }
}
const todo = () => screen.getByRole("region", { name: "Needs attention" })
const region = (name: string) => screen.findByRole("region", { name })

test("to-do list shows what is pending without a click, each line a link to its page", async () => {
  await open("manager", busy)
  const row = (name: RegExp) => within(todo()).findByRole("link", { name })
  // The order of a digital reward waits for no parcel.
  const ship = await row(/^2 orders to ship/)
  expect(ship).toHaveTextContent("Oldest waits 4 days: Weber Baby Q for Ana Silva")
  expect(ship).toHaveAttribute("href", "/orders/ship")
  const decide = await row(/^1 row needs a decision/)
  expect(decide).toHaveTextContent("Q3 installer bonus, by Helen Park")
  expect(decide).toHaveAttribute("href", "/jobs/J-7")
  const short = await row(/^2 rewards low on stock/)
  expect(short).toHaveTextContent("Yeti Tundra 45 is out; Weber Baby Q has 3")
  expect(short.getAttribute("href")).toMatch(/^\/rewards\?/)
  const pending = await row(/^6 members are pending/)
  // With its year once that is over.
  expect(pending).toHaveTextContent(
    /The oldest of 1 read: Sina Latu, Coastal Climate.*, since 12 Nov( 2026)?/,
  )
  expect(pending).toHaveAttribute("href", "/members?status=pending")
})

test("orders to ship are counted over all pages, and the oldest is on the last one", async () => {
  const full = Array.from({ length: 250 }, (_, at) => ({
    order_id: `ord_${at}`,
    reward_name: `Kit ${at}`,
    status: "pending",
    fulfillment: { type: "physical" },
    created_at: new Date(Date.now() - (at + 1) * 3_600_000 - 60_000).toISOString(),
  }))
  await open("manager", ordersServer(full))
  const link = await within(todo()).findByRole("link", { name: /orders to ship/ })
  expect(link).toHaveTextContent("250 orders to ship")
  expect(link).toHaveTextContent("Oldest waits 10 days: Kit 249")
})

/** A notice of a job of three rows, one of which failed. */
const failedJob = (id: string) => ({
  key: `failed:${id}`,
  kind: "failed",
  read: false,
  at: "2026-11-20T23:15:00Z",
  job: {
    ...jobNeedingDecision,
    id,
    attention: 0,
    counts: { ...jobNeedingDecision.counts, conflict: 0, failed: 1 },
  },
})

test("to-do list includes Laurel's own notices: failed rows can be dismissed, a refused key links to the status", async () => {
  const all = ["J-11", "J-12", "J-13", "J-14"].map(failedJob)
  const { user, requests } = await open("manager", {
    "GET /api/notices": () => [
      { key: "key:program", kind: "key", read: true, api: "program" },
      { key: "fund", kind: "fund", read: true, left_cents: 12_345 },
      ...all,
    ],
    "POST /api/jobs/J-11/dismiss": () => all.slice(1),
  })
  expect(
    await within(todo()).findByRole("link", { name: /program service refuses the API key/ }),
  ).toHaveAttribute("href", "/settings/status")
  expect(within(todo()).getByRole("link", { name: /fund is low: \$123.45 left/ })).toHaveAttribute(
    "href",
    "/settings/gift-cards",
  )
  const [first] = within(todo()).getAllByRole("link", { name: /^1 row not done/ })
  expect(first).toHaveAttribute("href", "/jobs/J-11?state=failed")
  expect(within(todo()).getByRole("link", { name: /^1 more job with rows not done/ })).toHaveAttribute(
    "href",
    "/jobs?state=failed",
  )
  const [dismiss] = within(todo()).getAllByRole("button", { name: "Dismiss" })
  await user.click(dismiss ?? document.body)
  expect(screen.getByRole("heading", { level: 1 })).toHaveFocus()
  await waitFor(() =>
    expect(within(todo()).getAllByRole("link", { name: /^1 row not done/ })).toHaveLength(3),
  )
  expect(within(todo()).queryByRole("link", { name: /more job/ })).not.toBeInTheDocument()
  expect(requests).toContain("POST /api/jobs/J-11/dismiss")
})

test("a to-do is shown once no line can come above it, so that none moves below a click", async () => {
  const notices = Promise.withResolvers<Response>()
  await open("manager", { ...busy, "GET /api/notices": () => notices.promise })
  await within(await region("Members")).findAllByRole("link")
  expect(within(todo()).queryAllByRole("link")).toEqual([])
  notices.resolve(Response.json({ success: true, data: [] }))
  expect(await within(todo()).findByRole("link", { name: /^2 orders to ship/ })).toBeVisible()
})

test("an empty to-do list is one line", async () => {
  await open("manager")
  expect(await within(todo()).findByText("You’re all caught up.")).toBeVisible()
  expect(screen.getByText(/No points were awarded in 30 days/)).toBeVisible()
  expect(screen.getByText("No leaderboards yet.")).toBeVisible()
  expect(screen.getByText("No activity yet.")).toBeVisible()
})

test("a failed part shows its error in place and retries from there", async () => {
  let broken = true
  const { user } = await open("manager", {
    ...busy,
    "GET /api/rewards": (request) =>
      broken ? refusal(500, "internal") : busy["GET /api/rewards"]?.(request),
    "GET /api/reports/ledgers": () => refusal(500, "internal"),
  })
  expect(await within(todo()).findByText(/Couldn’t load the rewards/)).toBeVisible()
  // Without the catalogue no order is known to be digital: all are counted.
  expect(await within(todo()).findByRole("link", { name: /^3 orders to ship/ })).toBeVisible()
  expect(await within(await region("Members")).findByText("1,284")).toBeVisible()
  expect(
    within(await region("Points awarded with Laurel")).getByText(/Couldn’t load the report/),
  ).toBeVisible()
  broken = false
  await user.click(within(todo()).getByRole("button", { name: "Try again" }))
  expect(await within(todo()).findByRole("link", { name: /^2 rewards low on stock/ })).toBeVisible()
})

test("members are counted by status and tier, and link to their lists", async () => {
  await open("manager", busy)
  const members = within(await region("Members"))
  const status = within(await members.findByRole("list", { name: "Members by status" }))
  expect(status.getByRole("link", { name: /Active\s*1,197/ })).toHaveAttribute(
    "href",
    "/members?status=active",
  )
  expect(status.getByRole("link", { name: /Inactive\s*81/ })).toBeVisible()
  const tiers = within(members.getByRole("list", { name: "Members by tier" }))
  expect(tiers.getByRole("link", { name: /Gold\s*800/ })).toHaveAttribute("href", "/members?tier=Gold")
  expect(tiers.getByText("Other or none")).toBeVisible()
})

test("members are not counted before the local copy is complete", async () => {
  await open("manager", {
    ...busy,
    "GET /api/members/facets": () => Response.json({ success: true, data: noFacets, meta: syncing }),
  })
  const members = within(await region("Members"))
  expect(await members.findByText("1,284")).toBeVisible()
  expect(members.getByText(/once all members are synced/)).toBeVisible()
  expect(members.queryByRole("list")).not.toBeInTheDocument()
})

test("members are counted as soon as the local copy is complete", async () => {
  let meta: object = syncing
  const { queryClient } = await open("manager", {
    ...busy,
    "GET /api/members/facets": () => {
      const statuses = [{ value: "active", count: 1284 }]
      return Response.json({ success: true, data: { ...noFacets, total: 1284, statuses }, meta })
    },
  })
  const members = within(await region("Members"))
  await members.findByText(/once all members are synced/)
  meta = { ...syncing, complete: true, syncing: false, synced: null }
  // As the event of the copy does.
  void queryClient.invalidateQueries({ queryKey: ["members"] })
  const status = await members.findByRole("list", { name: "Members by status" }, { timeout: 10_000 })
  expect(within(status).getByRole("link", { name: /Active\s*1,284/ })).toBeVisible()
})

test("leaderboard panel shows the board with a saved mapping, read by it", async () => {
  const { requests } = await open("viewer", busy)
  const board = within(await region("Q4 Installer Sprint"))
  expect(await board.findByText("31,200")).toBeVisible()
  expect(board.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    "1DHDalia Haddad31,200",
    "2LFLeila Farahani26,880",
  ])
  expect(requests.filter((line) => line.includes("rankings"))).toHaveLength(1)
})

test("points awarded by anyone are a bar per day of the program, and a sentence; redemptions a figure", async () => {
  const today = dayAt(Date.now(), "Australia/Brisbane")
  const { requests } = await open("manager", {
    "GET /api/reports/ledgers": () => dayReport([dayRow(today, 4200, 1300)]),
  })
  const chart = await screen.findByRole("figure")
  expect(chart).toHaveTextContent(/4,200 points in 30 days, most on .* with 4,200; 4,200 today\./)
  expect(requests.find((line) => line.includes("/reports/ledgers"))).toContain("by=day")
  const points = within(await region("Points awarded"))
  expect(points.getByRole("link", { name: "4,200 awarded, 1,300 redeemed in 30 days" })).toHaveAttribute(
    "href",
    expect.stringMatching(/^\/reports\/points\?by=day/),
  )
})

test("points awarded say how many ledgers have been read while figures still grow", async () => {
  const today = dayAt(Date.now(), "Australia/Brisbane")
  const ledgers = { of: "ledgers", read: 161, total: 2006, complete: false, as_of: null } as const
  await open("manager", {
    "GET /api/reports/ledgers": () => ({ ...dayReport([dayRow(today, 4200)]), coverage: [ledgers] }),
  })
  expect(within(await region("Points awarded")).getByText("161 of 2,006 ledgers read")).toBeVisible()
})

test("points by reason are shown as a table on request, and cached", async () => {
  const today = dayAt(Date.now(), "Australia/Brisbane")
  const split = [
    { ...line(today, 3000), reason: "Launch" },
    { ...line(today, 700), reason: null },
    { ...line(addDays(today, -1), 500), reason: "" },
  ]
  const server: Handlers = {
    "GET /api/reports/ledgers": () => dayReport([dayRow(today, 4200)]),
    "GET /api/reports/points": () => ({ rows: split, total: line("total", 4200) }),
  }
  const { user } = await open("manager", server)
  await user.click(await screen.findByRole("radio", { name: "By reason" }))
  const points = within(await region("Points awarded with Laurel"))
  await points.findByRole("radio", { name: "By reason", checked: true })
  await user.click(await points.findByText("Show as table"))
  const table = within(points.getByRole("table", { name: "Points awarded by day and reason" }))
  expect(table.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual([
    "Day",
    "Launch",
    "No reason",
    "Other reasons",
    "Total",
  ])
  const [, first, second] = table.getAllByRole("row")
  expect(first).toHaveTextContent("Today3,00007003,700")
  expect(second).toHaveTextContent(/05000500$/)
  expect(table.getAllByRole("row")).toHaveLength(31)
  cleanup()
  await open("manager", server)
  expect(await screen.findByText("Show as table")).toBeVisible()
})

test("fulfilment sees what to ship, and no personal data is requested", async () => {
  const { requests } = await open("fulfilment", busy)
  expect(await within(todo()).findByRole("link", { name: /^2 orders to ship/ })).toHaveTextContent(
    /Weber Baby Q/,
  )
  expect(screen.queryByRole("region", { name: "Members" })).not.toBeInTheDocument()
  expect(screen.queryByRole("region", { name: "Points awarded with Laurel" })).not.toBeInTheDocument()
  await waitFor(() => expect(requests.some((line) => line.includes("/api/audit"))).toBe(true))
  expect(requests.filter((line) => /members|leaderboards|reports/.test(line))).toEqual([])
})

test("a viewer gets links without decisions, and jobs in place of the audit log", async () => {
  const { requests } = await open("viewer", busy)
  expect(await within(todo()).findByRole("link", { name: /^1 row needs a decision.*Open$/ })).toBeVisible()
  expect(await within(todo()).findByRole("link", { name: /to ship.*Orders$/ })).toBeVisible()
  expect(within(await region("Recent activity")).getByRole("link", { name: "Activity" })).toBeVisible()
  expect(requests.filter((line) => line.includes("/api/audit"))).toEqual([])
})

test("recent activity shows the newest saved parcel of a job, and each refused one", async () => {
  const entry = (id: string, order: string, outcome: string) => ({
    id,
    at: "2026-11-20T00:00:00Z",
    actor: { id: "u-9", name: "Jo Hart", role: "fulfilment" },
    action: "order.update",
    area: "program",
    on: { kind: "order", id: order, label: null },
    outcome,
    note: null,
    changes: [],
    request_id: "J-1",
  })
  await open("manager", {
    ...busy,
    "GET /api/audit": () => [
      entry("4", "ord_4", "done"),
      entry("3", "ord_3", "refused"),
      entry("2", "ord_2", "done"),
      entry("1", "ord_1", "refused"),
    ],
  })
  const activity = within(await region("Recent activity"))
  expect(await activity.findByText(/ord_3/)).toBeVisible()
  expect(activity.getByText(/ord_1/)).toBeVisible()
  expect(activity.getByText(/ord_4/)).toBeVisible()
  expect(activity.queryByText(/ord_2/)).not.toBeInTheDocument()
})

test("refreshing bypasses the caches, and a failure preserves the previous data", async () => {
  let fresh = 0
  const { user } = await open("manager", {
    ...busy,
    "GET /api/program/leaderboards": ({ headers }) => {
      if (headers.get("Cache-Control") !== "no-cache") return [{ id: "lb_2", name: "Q4 Installer Sprint" }]
      fresh += 1
      return refusal(500, "internal")
    },
  })
  await within(await region("Q4 Installer Sprint")).findByText("31,200")
  expect(await screen.findByText(/^Updated/)).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Refresh" }))
  expect(await screen.findByText(/Some figures couldn’t be refreshed/)).toBeVisible()
  expect(fresh).toBe(1)
  expect(screen.getByText("31,200")).toBeVisible()
})

test("an open home page does not refetch for each shipped parcel, and later only what has changed", async () => {
  const { queryClient, requests } = await open("manager", busy)
  await within(await region("Q4 Installer Sprint")).findByText("31,200")
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  const before = requests.length
  const sent = () => requests.slice(before).filter((line) => /\/api\/(program|orders)/.test(line))
  // As an event of the topic `orders` does.
  await queryClient.invalidateQueries({ queryKey: ordersKey })
  await queryClient.invalidateQueries({ queryKey: ordersKey })
  expect(sent()).toEqual([])

  rereadChanged(queryClient)
  await waitFor(() => expect(sent()).toHaveLength(1))
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  expect(sent().every((line) => line.startsWith("GET /api/orders?"))).toBe(true)
  rereadChanged(queryClient)
  expect(sent()).toHaveLength(1)
})
