import { act, screen, waitFor, within } from "@testing-library/react"
import axe from "axe-core"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { Role } from "../../contract/roles.ts"
import { card } from "../../tests/support/giftcards/open-cards.tsx"
import { jobView } from "../../tests/support/job-views.ts"
import {
  field,
  find,
  getOption,
  names,
  nothingUsed,
  openPage,
  option,
} from "../../tests/support/palette-page.ts"
import { type Handlers, refusal } from "../../tests/support/test-app.tsx"
import { jobsQuery } from "../api/jobs.ts"
import { usePaletteText, useShellOverlay } from "./shell-state.ts"

const ana = { id: "mem_1", first_name: "Ana", last_name: "Silva", company: "Coastal", points_balance: 12_480 }
const diana = { id: "mem_2", first_name: "Diana", last_name: "Sorensen" }
const sent = {
  order_id: "ord_20398",
  reward_name: "Drill kit",
  status: "shipped",
  tracking_number: "33ABC 4412 0091",
  carrier: "Australia Post",
}
const drill = { id: "rew_1", name: "Cordless drill", status: "inactive" }
const never = () => new Promise(() => {})
const withMembers = (...members: object[]): Handlers => ({ "GET /api/members": () => members })
const searches = (requests: readonly string[]) =>
  requests.filter((line) => line.startsWith("GET /api/members?"))

beforeEach(() => localStorage.clear())
afterEach(() => {
  act(() => useShellOverlay.setState({ overlay: null }))
  vi.restoreAllMocks()
})

describe("palette", () => {
  it("finds a member with one request and opens it with Enter", async () => {
    const app = await openPage("manager", withMembers(ana, diana))
    await find(app, "ana s")
    expect(await option(/Ana Silva/)).toHaveAttribute("aria-selected", "true")
    await app.user.keyboard("{Enter}")
    expect(app.go).toHaveBeenCalledWith({ href: "/members/mem_1" })
    expect(searches(app.requests)).toEqual(["GET /api/members?search=ana+s&sort=match&per_page=8"])
    expect(screen.queryByRole("combobox")).not.toBeInTheDocument()
  })

  it("opens the first match when Enter comes before the response", async () => {
    const app = await openPage("manager", withMembers(ana, diana))
    await find(app)
    await app.user.keyboard("ana{Enter}")
    await waitFor(() => expect(app.go).toHaveBeenCalledWith({ href: "/members/mem_1" }))
  })

  it("keeps what was typed while its code was loading", async () => {
    const app = await openPage("manager", withMembers(ana))
    usePaletteText.setState({ text: "ana s", entered: true })
    await app.user.keyboard("{Control>}k{/Control}")
    await waitFor(() => expect(app.go).toHaveBeenCalledWith({ href: "/members/mem_1" }))
    expect(usePaletteText.getState()).toEqual({ text: "", entered: false })
  })

  it("keeps the matches that still match while the next text is searched", async () => {
    const app = await openPage("manager", {
      "GET /api/members": ({ query }) => (query.get("search") === "an" ? [ana, diana] : never()),
    })
    await find(app, "an")
    await option(/Diana Sorensen/)
    await app.user.keyboard("a s")
    expect(getOption(/Ana Silva/)).toBeVisible()
    expect(names().some((name) => name.includes("Diana Sorensen"))).toBe(true)
    await app.user.keyboard("il")
    expect(names().some((name) => name.includes("Diana Sorensen"))).toBe(false)
  })

  it("sends no request for a single letter", async () => {
    const app = await openPage()
    await find(app, "x")
    await option(/^Export members/)
    expect(searches(app.requests)).toEqual([])
  })

  it("moves through the options with the arrow keys, around the end", async () => {
    const app = await openPage()
    await find(app)
    const all = () => screen.getAllByRole("option")
    expect(all()[0]).toHaveAttribute("aria-selected", "true")
    await app.user.keyboard("{ArrowDown}")
    await waitFor(() => expect(all()[1]).toHaveAttribute("aria-selected", "true"))
    expect(field()).toHaveAttribute("aria-activedescendant", all()[1]?.id)
    await app.user.keyboard("{ArrowUp}{ArrowUp}")
    await waitFor(() => expect(all().at(-1)).toHaveAttribute("aria-selected", "true"))
    await app.user.keyboard("{ArrowDown}")
    await waitFor(() => expect(all()[0]).toHaveAttribute("aria-selected", "true"))
  })

  it("is a combobox without accessibility problems", async () => {
    const app = await openPage("manager", withMembers(ana))
    await find(app, "ana")
    await option(/Ana Silva/)
    expect(screen.getByRole("dialog", { name: "Search or jump to" })).toBeVisible()
    expect(field()).toHaveAttribute("aria-controls", screen.getByRole("listbox").id)
    const { violations } = await axe.run(screen.getByRole("dialog"), {
      rules: { "color-contrast": { enabled: false } },
    })
    expect(violations).toEqual([])
  })

  it("names the search that failed, and still offers pages", async () => {
    const app = await openPage("manager", { "GET /api/members": () => refusal(400, "bad_request") })
    await find(app, "audit")
    expect(await screen.findByText(/^Couldn’t search members\. \S/)).toBeVisible()
    await option(/^Audit log/)
  })

  it("says that nothing matches", async () => {
    const app = await openPage()
    await find(app, "climte")
    expect(await screen.findByText("No results for “climte”.")).toBeVisible()
  })

  it("offers pages and a member by id to roles that cannot search members", async () => {
    const app = await openPage("fulfilment")
    await find(app, "mem_42/x")
    await app.user.click(await option(/^Open the member mem_42\/x/))
    expect(app.go).toHaveBeenCalledWith({ href: "/members/mem_42%2Fx" })
  })

  it("names no failed search in a role that cannot search members yet", async () => {
    const app = await openPage("fulfilment", { "GET /api/members": () => refusal(403, "forbidden") })
    await find(app, "ana")
    await waitFor(() => expect(searches(app.requests)).toHaveLength(1))
    await waitFor(() => expect(app.queryClient.isFetching()).toBe(0))
    expect(screen.queryByText(/failed|Couldn’t/)).not.toBeInTheDocument()
  })

  it("closes with Escape and returns the focus", async () => {
    const app = await openPage()
    const link = screen.getAllByRole("link")[0]
    act(() => link?.focus())
    await find(app)
    await waitFor(() => expect(field()).toHaveFocus())
    await app.user.keyboard("{Escape}")
    await waitFor(() => expect(screen.queryByRole("combobox")).not.toBeInTheDocument())
    await waitFor(() => expect(link).toHaveFocus())
  })
})

describe("pages and actions", () => {
  it.each<[Role, string[], string[]]>([
    ["admin", ["Members", "Audit log", "New member", "Users and roles"], []],
    ["manager", ["Members", "Audit log", "New member"], ["Users and roles"]],
    ["viewer", ["Members", "Status"], ["Audit log", "New member", "Users and roles", "Award points"]],
    ["fulfilment", ["Orders", "Ship desk"], ["Award points", "Issue a gift card", "Export orders"]],
  ])("of a %s are what the role may open", async (role, shown, hidden) => {
    await find(await openPage(role))
    const list = within(screen.getByRole("listbox"))
    for (const name of shown) expect(list.getAllByText(name)[0]).toBeVisible()
    for (const name of hidden) expect(list.queryByText(name)).not.toBeInTheDocument()
  })

  it.each([
    ["ship", "/orders/ship"],
    ["issue", "/cards/issue"],
    ["new member", "/members/new"],
    ["import", "/members/import"],
    ["export orders", "/orders?open=export"],
    ["look up", "/cards?open=look-up"],
    ["members", "/members"],
    ["points report", "/reports/points"],
    ["carriers", "/settings/carriers"],
    ["error codes", "/settings/errors"],
    ["about", "/settings/about"],
  ])("are first when their name is typed, and Enter waits for no search: %s", async (text, href) => {
    const app = await openPage("admin", { "GET /api/members": never })
    await find(app, text)
    await app.user.keyboard("{Enter}")
    expect(app.go).toHaveBeenCalledWith({ href })
  })

  it("named only by a keyword come after the records", async () => {
    const app = await openPage("manager", withMembers({ ...ana, last_name: "Bulkeley" }))
    await find(app, "bulk")
    await option(/Ana Bulkeley/)
    expect(names()[0]).toMatch(/Ana Bulkeley/)
    await option(/^Award from a file/)
  })

  it.each(["award", "deduct", "redeem"])("open a drawer above the page: %s", async (text) => {
    const app = await openPage()
    app.go.mockRestore()
    await find(app, text)
    await app.user.keyboard("{Enter}")
    expect(app.router.state.location.pathname).toBe("/nowhere")
    await waitFor(() => expect(app.router.state.location.search).toEqual({ act: text }))
  })
})

describe("rewards, leaderboards, jobs and gift cards", () => {
  const lists: Handlers = {
    "GET /api/rewards": () => [drill],
    "GET /api/program/leaderboards": () => [{ id: "lb_1", name: "Drill sprint" }],
  }

  it("are found by name with one request for each list", async () => {
    const app = await openPage("manager", lists)
    app.queryClient.setQueryData(jobsQuery({}).queryKey, {
      rows: [jobView({ id: "J-7", title: "Drill bonus" })],
      more: false,
      at: 0,
    })
    await find(app, "drill")
    await option(/^Cordless drill/)
    await option(/^Drill sprint/)
    expect(await option(/^J-7/)).toHaveTextContent("Drill bonus")
    expect(app.requests.filter((line) => /rewards|leaderboards/.test(line))).toEqual([
      "GET /api/rewards?page=1&per_page=100",
      "GET /api/program/leaderboards",
    ])
  })

  it("are not read for roles that cannot see them", async () => {
    const app = await openPage("fulfilment", lists)
    await find(app, "drill")
    await option(/^Cordless drill/)
    expect(app.requests.filter((line) => /leaderboards|cards/.test(line))).toEqual([])
  })

  it("that are still read delay nothing above them", async () => {
    const app = await openPage("fulfilment", { "GET /api/rewards": never })
    await find(app, "carriers")
    await app.user.keyboard("{Enter}")
    expect(app.go).toHaveBeenCalledWith({ href: "/settings/carriers" })
  })

  it("include a job by its id, in any case, if there is one", async () => {
    const app = await openPage("manager", {
      "GET /api/jobs/J-1183": () => jobView({ id: "J-1183", title: "Q3 bonus" }),
      "GET /api/jobs/J-9": () => refusal(404, "not_found"),
    })
    await find(app)
    await app.user.keyboard("j-1183{Enter}")
    await waitFor(() => expect(app.go).toHaveBeenCalledWith({ href: "/jobs/J-1183" }))
    await find(app, "J-9")
    await waitFor(() => expect(app.requests).toContain("GET /api/jobs/J-9"))
    expect(names()).toEqual([])
  })

  it("include a gift card by its reference, with one request to Laurel", async () => {
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
})

describe("order", () => {
  const unsynced = { "GET /api/orders": () => refusal(409, "conflict") }
  const copied: Handlers = {
    "GET /api/orders": ({ query }) => {
      const text = [sent.order_id, sent.tracking_number, sent.reward_name, "ana silva"]
        .join(" ")
        .toLowerCase()
      return text.includes(query.get("search") ?? "") ? [sent] : []
    },
  }
  const lookups = (requests: readonly string[]) =>
    requests.filter((line) => / \/api\/(program\/)?orders/.test(line) && !line.includes("used-numbers"))

  it.each(["20398", "#20398", "Order #20398", "ord_20398", "ana silva", "drill"])(
    "is found by %s in the local copy",
    async (text) => {
      const app = await openPage("manager", { ...copied, "POST /api/orders/used-numbers": () => nothingUsed })
      await find(app, text)
      expect(await option(/^ord_20398/)).toHaveTextContent("Drill kit, Shipped")
      await app.user.keyboard("{Enter}")
      expect(app.go).toHaveBeenCalledWith({ href: "/orders/ord_20398" })
      expect(lookups(app.requests)).toHaveLength(1)
    },
  )

  it("comes after the member whose name is typed", async () => {
    const app = await openPage("manager", { ...copied, ...withMembers(ana) })
    await find(app, "ana silva")
    await option(/^ord_20398/)
    await app.user.keyboard("{Enter}")
    expect(app.go).toHaveBeenCalledWith({ href: "/members/mem_1" })
  })

  it("is opened with Enter before the response", async () => {
    const app = await openPage("manager", copied)
    await find(app, "ord_20398")
    await app.user.keyboard("{Enter}")
    await waitFor(() => expect(app.go).toHaveBeenCalledWith({ href: "/orders/ord_20398" }))
  })

  it("is read by its id, with the letters of known orders, until every order is synced", async () => {
    const app = await openPage("manager", {
      "GET /api/orders": ({ query }) =>
        query.has("search") ? refusal(409, "conflict") : [{ order_id: "ord_1" }],
      "GET /api/program/orders/ord_20398": () => sent,
    })
    await find(app, "20398")
    expect(await option(/^ord_20398/)).toHaveTextContent("Drill kit, Shipped")
    expect(lookups(app.requests)).toEqual([
      "GET /api/orders?search=20398&per_page=4",
      "GET /api/orders?page=1&per_page=25",
      "GET /api/program/orders/ord_20398",
    ])
  })

  it("that does not exist is not shown", async () => {
    const app = await openPage("manager", {
      ...unsynced,
      "GET /api/program/orders/ord_777": () => refusal(404, "not_found"),
    })
    await find(app, "ord_777")
    await waitFor(() => expect(app.requests).toContain("GET /api/program/orders/ord_777"))
    expect(screen.queryByRole("option", { name: /^ord_777/ })).not.toBeInTheDocument()
  })

  it("is looked up in Laurel by its whole tracking number, without an upstream request", async () => {
    const at = "2026-11-20T00:00:00Z"
    const used = [{ number: "996201884512", order_id: "ord_7", where: "job", job: "J-9", at }]
    const app = await openPage("manager", {
      ...unsynced,
      "POST /api/orders/used-numbers": () => ({ ...nothingUsed, used }),
    })
    await find(app, "996201884512")
    expect(await option(/^ord_7/)).toHaveTextContent("Tracking number 996201884512")
    await app.user.keyboard("{Enter}")
    expect(app.go).toHaveBeenCalledWith({ href: "/orders/ord_7" })
    expect(app.requests.filter((line) => line.includes("/program/orders"))).toEqual([])
  })
})
