import { act, screen, waitFor } from "@testing-library/react"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { firstCarriers } from "../../contract/orders.ts"
import type { Role } from "../../contract/roles.ts"
import { card } from "../../tests/support/giftcards/open-cards.tsx"
import { jobView } from "../../tests/support/job-views.ts"
import { field, find, names, openPage, option } from "../../tests/support/palette-page.ts"
import { type Handlers, refusal } from "../../tests/support/test-app.tsx"
import { cardQuery } from "../api/gift-cards.ts"
import { jobQuery } from "../api/jobs.ts"
import { leaderboardsQuery } from "../api/leaderboards.ts"
import { memberQuery } from "../api/members.ts"
import { orderQuery } from "../api/orders.ts"
import { rewardQuery } from "../api/rewards.ts"
import { signOut } from "../api/session.ts"
import { noteRecord, recentRecords, type RecordKind } from "../lib/recent-records.ts"
import { useShellOverlay } from "./shell-state.ts"

const ana = { id: "mem_1", first_name: "Ana", last_name: "Silva", company: "Coastal", points_balance: 12_480 }
const sent = {
  order_id: "ord_20398",
  reward_name: "Drill kit",
  status: "shipped",
  tracking_number: "33ABC 4412 0091",
  carrier: "Australia Post",
}
const read = <T,>(data: T) => ({ data, age: 0, at: Date.now(), stale: false })
const withMembers = (...members: object[]): Handlers => ({ "GET /api/members": () => members })
const labels = () => names().map((name) => name.replace(/Enter$/, ""))

beforeEach(() => localStorage.clear())
afterEach(() => {
  act(() => useShellOverlay.setState({ overlay: null }))
  vi.restoreAllMocks()
})

describe("recent records", () => {
  it("are stored as ids only, newest first", async () => {
    const app = await openPage("manager", {
      "GET /api/program/orders/ord_20398": () => ({ ...sent, member_id: "mem_1" }),
      "GET /api/program/members/mem_1": () => ana,
      "GET /api/program/members/mem_1/points": () => ({}),
      "GET /api/transactions": () => [],
      "GET /api/orders/ord_20398/address": () => refusal(404, "not_found"),
      "GET /api/orders/ord_20398/return": () => null,
      "GET /api/members/mem_1/merge": () => null,
      "GET /api/audit": () => [],
      "GET /api/jobs": () => [],
      "POST /api/members/names": () => ({ names: [], missing: [] }),
    })
    app.go.mockRestore()
    await act(() => app.router.navigate({ to: "/orders/$orderId", params: { orderId: "ord_20398" } }))
    await screen.findByRole("heading", { level: 1, name: "ord_20398" })
    await act(() => app.router.navigate({ href: "/nowhere" }))
    expect(recentRecords("user-manager")).toEqual([{ kind: "order", id: "ord_20398" }])
    await find(app)
    expect(names()[0]).toMatch(/^ord_20398/)
    expect(JSON.stringify(localStorage)).not.toContain("Drill")
  })

  it("have their cached names, else their ids, and cost no request", async () => {
    const kinds: [RecordKind, string][] = [
      ["member", "mem_1"],
      ["order", "ord_20398"],
      ["card", "gc_1"],
      ["job", "J-7"],
      ["reward", "rew_1"],
      ["board", "lb_1"],
    ]
    for (const [kind, id] of kinds.toReversed()) noteRecord("user-manager", { kind, id })
    const app = await openPage()
    await find(app)
    const unnamed = [
      "mem_1Member",
      "ord_20398Order",
      "gc_1Gift card",
      "J-7Job",
      "rew_1Reward",
      "lb_1Leaderboard",
    ]
    for (const [at, text] of unnamed.entries()) expect(names()[at]).toContain(text)
    await app.user.keyboard("{Escape}")
    const { queryClient } = app
    queryClient.setQueryData(memberQuery("mem_1").queryKey, read(ana))
    queryClient.setQueryData(orderQuery("ord_20398").queryKey, read(sent))
    queryClient.setQueryData(cardQuery("gc_1").queryKey, read(card("gc_1", { own_reference: "SPRINT-0131" })))
    queryClient.setQueryData(jobQuery("J-7").queryKey, jobView({ id: "J-7", title: "Q3 bonus" }))
    queryClient.setQueryData(rewardQuery("rew_1").queryKey, read({ id: "rew_1", name: "Drill kit" }))
    queryClient.setQueryData(leaderboardsQuery().queryKey, read([{ id: "lb_1", name: "Sprint" }]))
    await find(app)
    const named = ["Ana Silva", "ord_20398Drill kit", "SPRINT-0131", "J-7Q3 bonus", "Drill kit", "Sprint"]
    for (const [at, text] of named.entries()) expect(names()[at]).toContain(text)
    // The count of jobs in the navigation is read from time to time.
    expect(app.requests.filter((request) => request !== "GET /api/jobs/summary")).toEqual([])
  })

  it("are of this user and role, without those that do not exist", async () => {
    noteRecord("user-viewer", { kind: "member", id: "mem_2" })
    noteRecord("user-fulfilment", { kind: "card", id: "gc_1" })
    noteRecord("user-fulfilment", { kind: "order", id: "ord_gone" })
    const app = await openPage("fulfilment", {
      "GET /api/program/orders/ord_gone": () => refusal(404, "not_found"),
    })
    await app.queryClient.prefetchQuery(orderQuery("ord_gone"))
    await find(app)
    expect(screen.queryByRole("group", { name: "Recent" })).not.toBeInTheDocument()
  })

  it("are deleted on signing out", async () => {
    noteRecord("user-manager", { kind: "member", id: "mem_1" })
    const app = await openPage("manager", { "DELETE /api/session": () => null })
    await act(() => signOut(app.queryClient))
    expect(recentRecords("user-manager")).toEqual([])
  })
})

describe("a record's actions", () => {
  async function openActions(kind: RecordKind, id: string, role: Role = "manager", handlers: Handlers = {}) {
    const app = await openPage(role, handlers)
    noteRecord(`user-${role}`, { kind, id })
    app.queryClient.setQueryData(memberQuery("mem_1").queryKey, read(ana))
    app.queryClient.setQueryData(orderQuery("ord_20398").queryKey, read(sent))
    await find(app)
    await app.user.keyboard("{ArrowRight}")
    return app
  }

  it("of a member are found by typing", async () => {
    const app = await openActions("member", "mem_1")
    expect(field()).toHaveAccessibleName("Actions for Ana Silva")
    expect(labels()).toEqual([
      "Open",
      "Award points",
      "Deduct points",
      "Redeem a reward",
      "Issue a gift card",
      "Edit",
      "Orders",
      "Gift cards",
    ])
    await app.user.keyboard("edi{Enter}")
    expect(app.go).toHaveBeenCalledWith({ href: "/members/mem_1/edit" })
  })

  it.each([
    ["Issue a gift card", "/cards/issue?for=mem_1"],
    ["Orders", "/members/mem_1/orders"],
    ["Open", "/members/mem_1"],
  ])("open their addresses: %s", async (name, href) => {
    const app = await openActions("member", "mem_1")
    await app.user.click(screen.getByRole("option", { name: new RegExp(`^${name}`) }))
    expect(app.go).toHaveBeenCalledWith({ href })
  })

  it("award to that member on any page", async () => {
    const app = await openActions("member", "mem_1")
    app.go.mockRestore()
    await app.user.keyboard("award{Enter}")
    await waitFor(() => expect(app.router.state.location.search).toEqual({ act: "award", for: "mem_1" }))
  })

  it.each<[Role, string[]]>([
    ["viewer", ["Open", "Orders", "Gift cards"]],
    ["fulfilment", ["Open", "Orders"]],
  ])("are what a %s may do", async (role, allowed) => {
    await openActions("member", "mem_1", role)
    expect(labels()).toEqual(allowed)
  })

  it("of an order change it, print its slip and open its parcel at the carrier", async () => {
    const app = await openActions("order", "ord_20398")
    const opened = vi.spyOn(globalThis, "open").mockReturnValue(null)
    await option(/^Change status or tracking/)
    await option(/^Print packing slip/)
    await app.user.click(await option(/^Track 33ABC 4412 0091 at Australia Post/))
    const link = firstCarriers.carriers.find(({ name }) => name === "Australia Post")?.link ?? ""
    expect(opened).toHaveBeenCalledWith(
      expect.stringContaining(new URL(link).host),
      "_blank",
      "noopener,noreferrer",
    )
  })

  it.each([
    ["running", "manager", ["Open", "Pause"]],
    ["paused", "manager", ["Open", "Resume"]],
    ["running", "viewer", ["Open"]],
  ] as const)("of a %s job for a %s are %j", async (state, role, expected) => {
    const job = () => jobView({ id: "J-7", state, counts: { planned: 3 } })
    await openActions("job", "J-7", role, { "GET /api/jobs/J-7": job })
    await waitFor(() => expect(labels()).toEqual(expected))
  })

  it("go back with the left arrow, Backspace or Escape, to what was typed", async () => {
    const app = await openActions("member", "mem_1", "manager", { "GET /api/orders": () => [sent] })
    await app.user.keyboard("e{Backspace}")
    expect(field()).toHaveAccessibleName("Actions for Ana Silva")
    await app.user.keyboard("{Backspace}")
    expect(field()).toHaveAccessibleName(/^Search members/)
    await app.user.paste("33abc44120091")
    await option(/^ord_20398/)
    await app.user.keyboard("{ArrowRight}")
    expect(field()).toHaveValue("")
    await app.user.keyboard("{ArrowLeft}")
    expect(field()).toHaveValue("33abc44120091")
    await app.user.keyboard("{ArrowRight}{Escape}")
    expect(field()).toHaveAccessibleName(/^Search members/)
    await app.user.keyboard("{Escape}")
    expect(screen.queryByRole("combobox")).not.toBeInTheDocument()
  })

  it("open with the button at the row's end and go back with a button", async () => {
    const app = await openPage()
    noteRecord("user-manager", { kind: "member", id: "mem_1" })
    await find(app)
    await app.user.click([...(await option(/^mem_1/)).querySelectorAll("svg")].at(-1)!)
    expect(field()).toHaveAccessibleName("Actions for mem_1")
    await app.user.click(screen.getByRole("button", { name: "Back to the results" }))
    expect(field()).toHaveAccessibleName(/^Search members/)
    expect(field()).toHaveFocus()
  })

  it("leave the right arrow to the text while the cursor is in it, and to items without actions", async () => {
    const app = await openPage("manager", withMembers(ana))
    await find(app, "ana s")
    await option(/Ana Silva/)
    await app.user.keyboard("{ArrowLeft}{ArrowRight}")
    expect(field()).toHaveAccessibleName(/^Search members/)
    await app.user.clear(field())
    await app.user.paste("audit")
    await app.user.keyboard("{ArrowRight}")
    expect(field()).toHaveValue("audit")
  })
})
