import { screen, waitFor } from "@testing-library/react"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { jobView } from "../../tests/support/job-views.ts"
import { find, names, openPage, option } from "../../tests/support/palette-page.ts"
import { type Handlers, refusal } from "../../tests/support/test-app.tsx"
import { jobsQuery } from "../api/jobs.ts"
import { everyRewardQuery } from "../api/rewards.ts"
import { useShellOverlay } from "./shell-state.ts"

const ana = { id: "mem_1", first_name: "Ana", last_name: "Silva", email: "ana@coastal.test" }
const smith = { id: "mem_2", first_name: "Gift", last_name: "Smith" }
const never = () => new Promise(() => {})
const drill = { id: "rew_1", name: "Cordless drill", status: "inactive" }
const lists: Handlers = {
  "GET /api/program/rewards": () => [drill],
  "GET /api/program/leaderboards": () => [{ id: "lb_1", name: "Drill sprint" }],
}
const searches = (requests: readonly string[]) =>
  requests.flatMap((line) => new URLSearchParams(line.split("?")[1]).get("search") ?? [])

beforeEach(() => localStorage.clear())
afterEach(() => {
  useShellOverlay.setState({ overlay: null })
  vi.restoreAllMocks()
})

describe("rewards, leaderboards and jobs", () => {
  it("are found by their names in a browser that has read none, with one request for each list", async () => {
    const app = await openPage("manager", lists)
    await find(app)
    await app.user.keyboard("dri")
    await option(/^Cordless drill/)
    await option(/^Drill sprint/)
    await app.user.keyboard("ll")
    await waitFor(() => expect(searches(app.requests)).toContain("drill"))
    await option(/^Cordless drill/)
    expect(app.requests.filter((line) => /rewards|leaderboards/.test(line))).toEqual([
      "GET /api/program/rewards?page=1&per_page=100",
      "GET /api/program/leaderboards",
    ])
  })

  it("that this browser has read cost nothing", async () => {
    const app = await openPage("manager", lists)
    const jobs = [jobView({ id: "J-7", title: "Drill bonus" })]
    app.queryClient.setQueryData(jobsQuery({}).queryKey, { rows: jobs, more: false, at: 0 })
    await find(app, "drill")
    expect(await option(/^J-7/)).toHaveTextContent("Drill bonus")
    await option(/^Cordless drill/)
    await app.user.keyboard("{Escape}")
    await find(app, "sprint")
    await option(/^Drill sprint/)
    await waitFor(() => expect(searches(app.requests)).toEqual(["sprint"]))
    expect(app.requests.filter((line) => /rewards|leaderboards/.test(line))).toEqual([])
  })

  it("are found in a list that is read again, though its rewards by themselves are no longer held", async () => {
    const app = await openPage("manager", { ...lists, "GET /api/program/rewards": never })
    app.queryClient.setQueryData(everyRewardQuery().queryKey, { rows: [drill], at: 0 }, { updatedAt: 1 })
    await find(app, "drill")
    await waitFor(() => expect(app.requests.some((line) => line.includes("/rewards?"))).toBe(true))
    await option(/^Cordless drill/)
  })

  it("are not read for who may not see them", async () => {
    const app = await openPage("fulfilment", { "GET /api/program/rewards": () => [drill] })
    await find(app, "drill")
    await option(/^Cordless drill/)
    expect(app.requests.filter((line) => line.includes("leaderboards"))).toEqual([])
  })

  it("are said to be on their way, and what Enter opens waits only for what would come before it", async () => {
    const arrival = Promise.withResolvers<object[]>()
    const app = await openPage("manager", {
      ...lists,
      "GET /api/program/rewards": async () => arrival.promise,
    })
    await find(app, "drill")
    await option(/^Drill sprint/)
    expect(await screen.findByText("Loading rewards…")).toBeVisible()
    await app.user.keyboard("{Enter}")
    expect(app.go).not.toHaveBeenCalled()
    arrival.resolve([drill])
    await waitFor(() => expect(app.go).toHaveBeenCalledWith({ href: "/rewards/rew_1" }))
  })

  it("keep nobody from a page meanwhile", async () => {
    const app = await openPage("fulfilment", { "GET /api/program/rewards": never })
    await find(app, "carriers")
    expect(await screen.findByText("Loading rewards…")).toBeVisible()
    await app.user.keyboard("{Enter}")
    expect(app.go).toHaveBeenCalledWith({ href: "/settings/carriers" })
  })

  it("that could not be read are named, with the reason", async () => {
    const refused = () => refusal(400, "bad_request")
    const app = await openPage("manager", {
      "GET /api/program/rewards": refused,
      "GET /api/program/leaderboards": refused,
    })
    await find(app, "audit")
    expect(await screen.findByText(/^Couldn’t search rewards and leaderboards\. \S/)).toBeVisible()
    await option(/^Audit log/)
  })
})

describe("an action with a record's name", () => {
  const openMembers = (over: Handlers = {}) =>
    openPage("manager", {
      "GET /api/program/members": () => [ana],
      "GET /api/program/members/mem_1": () => ana,
      "GET /api/program/members/mem_1/balance": () => ({}),
      ...over,
    })

  it.each([
    ["award ana", /^Award points to Ana Silva/, { act: "award", for: "mem_1" }],
    ["award points to ana", /^Award points to Ana Silva/, { act: "award", for: "mem_1" }],
    ["adjust ana", /^Award points to Ana Silva/, { act: "award", for: "mem_1" }],
    ["deduct ana", /^Deduct points from Ana Silva/, { act: "deduct", for: "mem_1" }],
    ["redeem ana", /^Redeem a reward for Ana Silva/, { act: "redeem", for: "mem_1" }],
  ])("opens its drawer for that member with Enter: %s", async (text, name, search) => {
    const app = await openMembers()
    app.go.mockRestore()
    await find(app, text)
    expect(await option(name)).toHaveAttribute("aria-selected", "true")
    expect(searches(app.requests)).toEqual(["ana"])
    await app.user.keyboard("{Enter}")
    await waitFor(() => expect(app.router.state.location.search).toEqual(search))
  })

  it.each([
    ["edit ana", /^Edit Ana Silva/, "/members/mem_1/edit"],
    ["issue ana", /^Issue a gift card to Ana Silva/, "/cards/issue?for=mem_1"],
    ["orders of ana", /^Orders of Ana Silva/, "/members/mem_1/orders"],
    ["ship ord_20398", /^Change status or tracking of ord_20398/, "/orders/ord_20398/edit"],
    ["print packing slip of ord_20398", /^Print packing slip of ord_20398/, "/orders/print?ids=ord_20398"],
    ["redeem drill", /^Redeem for a member: Cordless drill/, "/rewards/rew_1?act=redeem&reward_id=rew_1"],
    ["wall display sprint", /^Wall display of Drill sprint/, "/leaderboards/lb_1/wall"],
    ["pause j-7", /^Pause J-7/, "/jobs/J-7?open=pause"],
  ])("leads to its page: %s", async (text, name, href) => {
    const app = await openMembers({
      ...lists,
      "GET /api/program/members": ({ query }) => (query.get("search") === "ana" ? [ana] : []),
      "GET /api/program/orders": () => [],
      "GET /api/program/orders/ord_20398": () => ({ order_id: "ord_20398" }),
      "GET /api/jobs/J-7": () => jobView({ id: "J-7", counts: { planned: 3 } }),
    })
    await find(app, text)
    await app.user.click(await option(name))
    expect(app.go).toHaveBeenCalledWith({ href })
  })

  it("is one for each record, with what tells two of a name apart", async () => {
    const other = { ...ana, id: "mem_9", email: "ana@harbour.test" }
    const app = await openMembers({ "GET /api/program/members": () => [ana, other] })
    await find(app, "award ana")
    await option(/ana@harbour\.test/)
    expect(names()).toEqual([
      expect.stringMatching(/^Award points to Ana Silvaana@coastal\.test/),
      expect.stringMatching(/^Award points to Ana Silvaana@harbour\.test/),
    ])
  })

  it("is not offered to who may not, nor for what the record's state rules out", async () => {
    const app = await openPage("viewer", {
      "GET /api/program/members": () => [],
      "GET /api/jobs/J-7": () => jobView({ id: "J-7", state: "done" }),
    })
    await find(app, "award ana")
    await waitFor(() => expect(searches(app.requests)).toEqual(["award ana"]))
    expect(names()).toEqual([])
    await app.user.keyboard("{Escape}")
    await find(app, "pause j-7")
    await waitFor(() => expect(searches(app.requests)).toHaveLength(1))
    expect(names()).toEqual([])
  })

  it("does not hide a record whose own name begins with that word, and is no part of a word", async () => {
    const people = { "GET /api/program/members": () => [smith] }
    const app = await openMembers(people)
    await find(app, "gift smith")
    await option(/^Issue a gift card to Gift Smith/)
    expect(names()[0]).toMatch(/^(GS)?Gift Smith/)
    await app.user.keyboard("{Escape}")
    await find(app, "ed smith")
    await waitFor(() => expect(searches(app.requests)).toEqual(["ed smith"]))
    expect(names().filter((name) => name.startsWith("Edit"))).toEqual([])
  })

  it("comes after a page that is called so", async () => {
    const card = { ...ana, last_name: "Cardoso" }
    const app = await openMembers({ "GET /api/program/members": () => [card] })
    await find(app, "gift card")
    await option(/^Issue a gift card to Ana Cardoso/)
    expect(names()[0]).toMatch(/^Issue a gift card$|^Issue a gift cardEnter$/)
    expect(names().findIndex((name) => name.startsWith("Gift cards"))).toBeLessThan(
      names().findIndex((name) => name.includes("Cardoso")),
    )
  })
})
