import { act, screen, waitFor } from "@testing-library/react"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { firstCarriers } from "../../contract/orders.ts"
import type { Role } from "../../contract/roles.ts"
import { card } from "../../tests/support/giftcards/open-cards.tsx"
import { jobView } from "../../tests/support/job-views.ts"
import { field, find, names, nothingUsed, openPage, option } from "../../tests/support/palette-page.ts"
import { refusal } from "../../tests/support/test-app.tsx"
import { cardQuery } from "../api/gift-cards.ts"
import { jobQuery } from "../api/jobs.ts"
import { leaderboardsQuery } from "../api/leaderboards.ts"
import { memberQuery } from "../api/members.ts"
import { orderQuery, ordersQuery } from "../api/orders.ts"
import { rewardQuery } from "../api/rewards.ts"
import { signOut } from "../api/session.ts"
import { noteRecord, type RecordKind, recentRecords } from "../lib/recent-records.ts"
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
const never = () => new Promise(() => {})

beforeEach(() => localStorage.clear())
afterEach(() => {
  useShellOverlay.setState({ overlay: null })
  vi.restoreAllMocks()
})

describe("actions", () => {
  it.each([
    ["ship", "/orders/ship"],
    ["issue", "/cards/issue"],
    ["new member", "/members/new"],
    ["import", "/members/import"],
    ["import tracking", "/orders/tracking-file"],
    ["export", "/members?open=export"],
    ["export orders", "/orders?open=export"],
    ["look up", "/cards?open=look-up"],
  ])("are first when named, and Enter waits for no search: %s", async (text, href) => {
    const app = await openPage("admin", { "GET /api/program/members": never })
    await find(app, text)
    await app.user.keyboard("{Enter}")
    expect(app.go).toHaveBeenCalledWith({ href })
  })

  it.each(["award", "deduct", "redeem"])("open a drawer above the page: %s", async (text) => {
    const app = await openPage()
    app.go.mockRestore()
    await find(app, text)
    await app.user.keyboard("{Enter}")
    expect(app.router.state.location.pathname).toBe("/nowhere")
    await waitFor(() => expect(app.router.state.location.search).toEqual({ act: text }))
  })

  it("come before a member whose name begins alike, and after one where only a further word does", async () => {
    const people = [{ ...ana, last_name: "Shipley" }]
    const app = await openPage("manager", { "GET /api/program/members": () => people })
    await find(app, "ship")
    await option(/Ana Shipley/)
    expect(names()[0]).toMatch(/^Ship orders/)
    await app.user.clear(field())
    await app.user.paste("fi")
    await option(/Ana Shipley/)
    expect(names()[0]).toMatch(/Ana Shipley/)
  })

  it("lead to a page once, however it is found", async () => {
    await find(await openPage(), "ship")
    await option(/^Ship orders/)
    expect(names().filter((name) => name.startsWith("Ship"))).toHaveLength(1)
  })

  it.each<[Role, RegExp]>([
    ["viewer", /^(Award|Deduct|Redeem|Ship|Issue|New|Import|Export)/],
    ["fulfilment", /^(Award|Deduct|Redeem|Issue|New|Import members|Export)/],
  ])("are only those of the role: %s", async (role, hidden) => {
    await find(await openPage(role))
    expect(names().filter((name) => hidden.test(name))).toEqual([])
  })
})

it.each([
  ["points report", "/reports/points"],
  ["carriers", "/settings/carriers"],
  ["error codes", "/settings/errors"],
  ["program settings", "/settings/program"],
  ["about", "/settings/about"],
])("finds the page: %s", async (text, href) => {
  const app = await openPage()
  await find(app, text)
  await app.user.keyboard("{Enter}")
  await waitFor(() => expect(app.go).toHaveBeenCalledWith({ href }))
})

describe("an order by its tracking number", () => {
  it("is found by a part of it among the orders that were read, without a request", async () => {
    const app = await openPage()
    app.queryClient.setQueryData(ordersQuery({ page: 1 }).queryKey, read([sent]))
    await find(app, "4412-0091")
    expect(await option(/^ord_20398/)).toHaveTextContent("Drill kit, Shipped")
    await option(/^Track 33ABC 4412 0091 at Australia Post/)
    expect(app.requests.filter((line) => line.includes("/program/orders"))).toEqual([])
  })

  it("opens at once where the whole number was read", async () => {
    const app = await openPage("manager", { "GET /api/program/members": never })
    app.queryClient.setQueryData(ordersQuery({ page: 1 }).queryKey, read([sent]))
    await find(app, "33abc44120091")
    await app.user.keyboard("{Enter}")
    expect(app.go).toHaveBeenCalledWith({ href: "/orders/ord_20398" })
    expect(app.requests.filter((line) => line.includes("used-numbers"))).toEqual([])
  })

  it("is asked of Laurel alone where it was not read, and the carrier is recognised", async () => {
    const at = "2026-11-20T00:00:00Z"
    const used = [{ number: "996201884512", order_id: "ord_7", where: "job", job: "J-9", at }]
    const code = firstCarriers.carriers.find(({ name }) => name === "Australia Post")?.code
    const link = "https://auspost.com.au/mypost/track/details/996201884512"
    const app = await openPage("manager", {
      "POST /api/orders/used-numbers": () => ({ ...nothingUsed, used }),
      "POST /api/carriers/recognise": () => [
        { number: "996201884512", carriers: [code], chosen: code, why: "shape", link },
      ],
    })
    app.queryClient.setQueryData(ordersQuery({ page: 1 }).queryKey, read([{ order_id: "ord_1" }]))
    const opened = vi.spyOn(globalThis, "open").mockReturnValue(null)
    await find(app, "996201884512")
    expect(await option(/^ord_7/)).toHaveTextContent("Tracking number 996201884512")
    await app.user.click(await option(/^Track 996201884512 at Australia Post/))
    expect(opened).toHaveBeenCalledWith(link, "_blank", "noopener,noreferrer")
    expect(app.requests.filter((line) => line.includes("/program/orders"))).toEqual([])
  })

  it("that nobody knows is looked for among the orders' ids", async () => {
    const app = await openPage("manager", {
      "GET /api/program/orders/ord_20398112": () => ({ ...sent, order_id: "ord_20398112" }),
    })
    app.queryClient.setQueryData(ordersQuery({ page: 1 }).queryKey, read([{ order_id: "ord_1" }]))
    await find(app, "20398112")
    expect(await option(/^ord_20398112/)).toHaveTextContent("Drill kit")
  })
})

describe("a job by its id", () => {
  it.each(["J-1183"])("%s is that job at once, by any case, and no member", async (id) => {
    const app = await openPage("manager", {
      "GET /api/program/members": never,
      [`GET /api/jobs/${id}`]: () => jobView({ id, title: "Q3 bonus" }),
    })
    await find(app, id.toLowerCase())
    expect(names()[0]).toMatch(new RegExp(`^${id}`))
    await waitFor(async () => expect(await option(new RegExp(`^${id}`))).toHaveTextContent("Q3 bonus"))
    expect(names().some((name) => name.includes("with the id"))).toBe(false)
    await app.user.keyboard("{Enter}")
    expect(app.go).toHaveBeenCalledWith({ href: `/jobs/${id}` })
  })

  it("is not offered where there is none", async () => {
    const app = await openPage("manager", { "GET /api/jobs/J-9": () => refusal(404, "not_found") })
    await find(app, "J-9")
    await waitFor(() => expect(names().filter((name) => name.startsWith("J-9"))).toEqual([]))
  })
})

it("finds a gift card by its reference in the register, with one request to Laurel", async () => {
  const cards = [card("gc_1", { reference: "SPRINT-0131", own_reference: null })]
  const app = await openPage("manager", { "GET /api/cards": () => cards })
  await find(app, "sprint-0131")
  await option(/^SPRINT-0131/)
  await app.user.keyboard("{Enter}")
  expect(app.go).toHaveBeenCalledWith({ href: "/cards/gc_1" })
  expect(app.requests.filter((line) => line.includes("/api/cards"))).toEqual([
    "GET /api/cards?search=sprint-0131&per_page=4",
  ])
})

describe("recent records", () => {
  it("are noted as they are opened, ids only, newest first", async () => {
    const app = await openPage("manager", {
      "GET /api/program/members/mem_1": () => ana,
      "GET /api/program/members/mem_1/points": () => ({}),
      "GET /api/program/members/mem_1/transactions": () => [],
      "GET /api/program/orders/ord_20398": () => ({ ...sent, member_id: "mem_1" }),
      "GET /api/orders/ord_20398/address": () => refusal(404, "not_found"),
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

  it("have the names this browser still holds, else their ids, and cost no request", async () => {
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
    expect(names().slice(0, 6)).toEqual([
      expect.stringMatching(/^mem_1Member/),
      expect.stringMatching(/^ord_20398Order/),
      expect.stringMatching(/^gc_1Gift card/),
      expect.stringMatching(/^J-7Job/),
      expect.stringMatching(/^rew_1Reward/),
      expect.stringMatching(/^lb_1Leaderboard/),
    ])
    await app.user.keyboard("{Escape}")
    const { queryClient } = app
    queryClient.setQueryData(memberQuery("mem_1").queryKey, read(ana))
    queryClient.setQueryData(orderQuery("ord_20398").queryKey, read(sent))
    queryClient.setQueryData(cardQuery("gc_1").queryKey, read(card("gc_1", { own_reference: "SPRINT-0131" })))
    queryClient.setQueryData(jobQuery("J-7").queryKey, jobView({ id: "J-7", title: "Q3 bonus" }))
    queryClient.setQueryData(rewardQuery("rew_1").queryKey, read({ id: "rew_1", name: "Drill kit" }))
    queryClient.setQueryData(leaderboardsQuery().queryKey, read([{ id: "lb_1", name: "Sprint" }]))
    await find(app)
    const wanted = ["Ana Silva", "ord_20398Drill kit", "SPRINT-0131", "J-7Q3 bonus", "Drill kit", "Sprint"]
    for (const [at, words] of wanted.entries()) expect(names()[at]).toContain(words)
    expect(app.requests).toEqual([])
  })

  it("are of this user and of what the role sees, and never one that is not there", async () => {
    noteRecord("user-viewer", { kind: "member", id: "mem_2" })
    for (const id of ["gc_1", "gc_2"]) noteRecord("user-fulfilment", { kind: "card", id })
    noteRecord("user-fulfilment", { kind: "order", id: "ord_gone" })
    const app = await openPage("fulfilment", {
      "GET /api/program/orders/ord_gone": () => refusal(404, "not_found"),
    })
    await app.queryClient.prefetchQuery(orderQuery("ord_gone"))
    await find(app)
    expect(screen.queryByRole("group", { name: "Recent" })).not.toBeInTheDocument()
  })

  it("go when somebody signs out", async () => {
    noteRecord("user-manager", { kind: "member", id: "mem_1" })
    const app = await openPage("manager", { "DELETE /api/session": () => null })
    await act(() => signOut(app.queryClient))
    expect(recentRecords("user-manager")).toEqual([])
  })
})

describe("a record's actions", () => {
  const openAna = async (role: Role = "manager") => {
    const app = await openPage(role)
    noteRecord(`user-${role}`, { kind: "member", id: "mem_1" })
    app.queryClient.setQueryData(memberQuery("mem_1").queryKey, read(ana))
    await find(app)
    return app
  }

  it("open with → and close with ←, and what was typed is back", async () => {
    const app = await openAna()
    app.queryClient.setQueryData(orderQuery("ord_20398").queryKey, read(sent))
    await app.user.paste("33abc44120091")
    await option(/^ord_20398/)
    await app.user.keyboard("{ArrowRight}")
    expect(field()).toHaveAccessibleName("Actions for ord_20398")
    expect(field()).toHaveValue("")
    expect(screen.getByText(/^\d actions for ord_20398\. Left arrow goes back\.$/)).toBeInTheDocument()
    await app.user.keyboard("{ArrowLeft}")
    expect(field()).toHaveValue("33abc44120091")
    await option(/^ord_20398/)
  })

  it("of a member are those of the page, found by typing", async () => {
    const app = await openAna()
    await app.user.keyboard("{ArrowRight}")
    expect(names().map((name) => name.replace(/Enter$/, ""))).toEqual([
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
    ["Issue a gift card", { href: "/cards/issue?for=mem_1" }],
    ["Orders", { href: "/members/mem_1/orders" }],
    ["Gift cards", { href: "/members/mem_1/cards" }],
    ["Open", { href: "/members/mem_1" }],
  ])("lead to their addresses: %s", async (name, address) => {
    const app = await openAna()
    await app.user.keyboard("{ArrowRight}")
    await app.user.click(screen.getByRole("option", { name: new RegExp(`^${name}`) }))
    expect(app.go).toHaveBeenCalledWith(address)
  })

  it("award to that member on any page", async () => {
    const app = await openAna()
    app.go.mockRestore()
    await app.user.keyboard("{ArrowRight}award{Enter}")
    await waitFor(() => expect(app.router.state.location.search).toEqual({ act: "award", for: "mem_1" }))
  })

  it.each<[Role, string[]]>([
    ["viewer", ["Open", "Orders", "Gift cards"]],
    ["fulfilment", ["Open", "Orders"]],
  ])("are what a %s may do", async (role, allowed) => {
    const app = await openAna(role)
    await app.user.keyboard("{ArrowRight}")
    expect(names().map((name) => name.replace(/Enter$/, ""))).toEqual(allowed)
  })

  it("of an order change it, print its slip and track it at its carrier", async () => {
    const app = await openPage()
    noteRecord("user-manager", { kind: "order", id: "ord_20398" })
    app.queryClient.setQueryData(orderQuery("ord_20398").queryKey, read(sent))
    await find(app)
    await app.user.keyboard("{ArrowRight}")
    await option(/^Track 33ABC 4412 0091 at Australia Post/)
    await option(/^Print packing slip/)
    await app.user.click(await option(/^Change status or tracking/))
    expect(app.go).toHaveBeenCalledWith({ href: "/orders/ord_20398/edit" })
  })

  it.each([
    ["running", { planned: 3 }, "Pause", "/jobs/J-7?open=pause"],
    ["paused", { planned: 3 }, "Resume", "/jobs/J-7?open=resume"],
  ] as const)("of a %s job include what its state allows", async (state, counts, name, href) => {
    const app = await openPage("manager", {
      "GET /api/jobs/J-7": () => jobView({ id: "J-7", state, counts }),
    })
    noteRecord("user-manager", { kind: "job", id: "J-7" })
    await find(app)
    await app.user.keyboard("{ArrowRight}")
    await app.user.click(await option(new RegExp(`^${name}`)))
    expect(app.go).toHaveBeenCalledWith({ href })
  })

  it("of another person's job control nothing for who may not", async () => {
    const job = jobView({ id: "J-7", counts: { planned: 3 } })
    const app = await openPage("viewer", { "GET /api/jobs/J-7": () => job })
    app.queryClient.setQueryData(jobQuery("J-7").queryKey, job)
    noteRecord("user-viewer", { kind: "job", id: "J-7" })
    await find(app)
    await app.user.keyboard("{ArrowRight}")
    expect(names().map((name) => name.replace(/Enter$/, ""))).toEqual(["Open"])
  })

  it("go back one level with Escape and an emptied field, then the palette closes", async () => {
    const app = await openAna()
    await app.user.keyboard("{ArrowRight}e{Backspace}")
    expect(field()).toHaveAccessibleName("Actions for Ana Silva")
    await app.user.keyboard("{Backspace}")
    expect(field()).toHaveAccessibleName(/^Search members/)
    await app.user.keyboard("{ArrowRight}{Escape}")
    expect(field()).toHaveAccessibleName(/^Search members/)
    await app.user.keyboard("{Escape}")
    expect(screen.queryByRole("combobox")).not.toBeInTheDocument()
  })

  it("are within reach of a finger: the row's end, and the button that goes back", async () => {
    const app = await openAna()
    await app.user.click((await option(/Ana Silva/)).lastElementChild!)
    expect(field()).toHaveAccessibleName("Actions for Ana Silva")
    expect(field()).toHaveFocus()
    await app.user.click(screen.getByRole("button", { name: "Back to the results" }))
    expect(field()).toHaveFocus()
    expect(app.go).not.toHaveBeenCalled()
  })

  it("leave → to the text while the cursor is in it, and to a page nothing", async () => {
    const app = await openAna()
    await app.user.paste("ana s")
    await option(/Ana Silva/)
    await app.user.keyboard("{ArrowLeft}{ArrowRight}")
    expect(field()).toHaveAccessibleName(/^Search members/)
    await app.user.clear(field())
    await app.user.paste("audit")
    await app.user.keyboard("{ArrowRight}")
    expect(field()).toHaveValue("audit")
  })
})
