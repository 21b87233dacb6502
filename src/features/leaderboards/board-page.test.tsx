import { screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { describe, expect, test, vi } from "vitest"
import { refusal, renderApp } from "../../../tests/support/test-app.tsx"
import { boardServer } from "../../../tests/support/leaderboards/board-server.ts"
import { knownShapes, nonsense } from "../../../tests/support/leaderboards/shapes.ts"

const saved = vi.hoisted(() => [] as { name: string; content: Blob }[])
vi.mock("../../lib/save-file.ts", async (original) => ({
  ...(await original<object>()),
  saveFile: (name: string, content: Blob) => saved.push({ name, content }),
}))

const page = "/leaderboards/lb_1"
const places = async () => within(await screen.findByRole("table", { name: "Q4 Sprint" }))
const lines = async () => (await places()).getAllByRole("row").map((row) => row.textContent)

describe("board page reads every shape with known names alike", () => {
  test.each(Object.entries(knownShapes))("%s", async (_, sent) => {
    renderApp(page, boardServer(sent))
    const [, first, second] = (await places()).getAllByRole("row")
    expect(first).toHaveTextContent(/^1.*Dalia Haddad.*31,200.*Leads$/)
    expect(second).toHaveTextContent(/^2.*Leila Farahani.*26,880.*−4,320$/)
  })
})

describe("board page shows any response", () => {
  test.each(Object.entries(nonsense))("%s", async (_, [sent, shown]) => {
    renderApp(page, boardServer(sent))
    await screen.findByRole("heading", { level: 1, name: "Q4 Sprint" })
    await waitFor(() => expect(screen.getByRole("main")).toHaveTextContent(shown))
    expect(screen.getByRole("main")).not.toHaveTextContent(/Something went wrong/i)
  })
})

test("each place has its name as row header", async () => {
  renderApp(page, boardServer(knownShapes.snake))
  const place = (await places()).getByRole("rowheader", { name: /Leila Farahani/ }).closest("tr")
  expect(place).toHaveTextContent("26,880")
})

test("a name links to the member if the id is known", async () => {
  renderApp(page, boardServer(knownShapes.nested))
  const link = await screen.findByRole("link", { name: "Dalia Haddad" })
  expect(link).toHaveAttribute("href", "/members/mem_1")
  expect(screen.getByText("Top End Climate")).toBeVisible()
})

test("the number of places is stored in the URL and sent to the service", async () => {
  const user = userEvent.setup()
  const { router, requests } = renderApp(page, boardServer(knownShapes.snake))
  await places()
  expect(requests).toContain("GET /api/program/leaderboards/lb_1/rankings?limit=25")
  await user.click(screen.getByRole("radio", { name: "100" }))
  await waitFor(() => expect(requests).toContain("GET /api/program/leaderboards/lb_1/rankings?limit=100"))
  expect(router.state.location.search).toEqual({ limit: 100 })
})

test.each([5000, 0, -1, 1.5])(
  "a limit in the URL outside the service's limits falls back: %d",
  async (limit) => {
    const { requests } = renderApp(`${page}?limit=${limit}`, boardServer(knownShapes.snake))
    await places()
    expect(requests).toContain("GET /api/program/leaderboards/lb_1/rankings?limit=25")
  },
)

const columns = () => within(screen.getByRole("group", { name: "Set up columns" }))
const choose = (label: string, column: string) =>
  userEvent.selectOptions(columns().getByRole("combobox", { name: label }), column)

test("a chosen column is applied immediately, saved for all users, and can be reset", async () => {
  const user = userEvent.setup()
  const rows = [
    { rank: 1, name: "Ana", points: 900, installs: 12 },
    { rank: 2, name: "Bo", points: 800, installs: 11 },
  ]
  const { requests } = renderApp(page, boardServer(rows, "admin"))
  await places()
  expect(screen.getByRole("group", { name: "Set up columns" })).not.toHaveAttribute("open")
  await user.click(screen.getByText("Set up columns"))
  await choose("Score", "installs")
  expect((await lines())[1]).toContain("12")
  expect(requests).not.toContain("PUT /api/settings/leaderboardMappings")
  await user.click(columns().getByRole("button", { name: "Save for everyone" }))
  expect(await columns().findByText("Saved for everyone.")).toBeVisible()
  expect((await lines())[1]).toMatch(/12.*Leads/)
  await user.click(columns().getByRole("button", { name: "Find them automatically" }))
  await waitFor(async () => expect((await lines())[1]).toMatch(/900.*Leads/))
})

test("first and last name found together are one choice of the name", async () => {
  const user = userEvent.setup()
  renderApp(page, boardServer(knownShapes.parts, "admin"))
  await places()
  await user.click(screen.getByText("Set up columns"))
  expect(columns().getByRole("combobox", { name: "Name" })).toHaveValue("first_name + last_name")
  await choose("Score", "change")
  expect((await lines())[1]).toContain("Dalia Haddad")
  await choose("Name", "last_name")
  expect((await lines())[1]).not.toContain("Dalia")
})

test("columns with other names become a ranking when they are chosen", async () => {
  renderApp(
    page,
    boardServer([
      { a: { x: "one two" }, b: "4" },
      { a: { x: 5 }, b: "x" },
    ]),
  )
  expect(await screen.findByText(/^Couldn’t find the ranking/)).toBeVisible()
  await choose("Name", "a.x")
  await choose("Score", "b")
  const [, first, second] = await lines()
  expect(first).toContain("one two4")
  expect(second).toContain("5x")
})

test("known columns can be changed by administrators only", async () => {
  renderApp(page, boardServer(knownShapes.parts, "manager"))
  await places()
  expect(screen.queryByText("Set up columns")).not.toBeInTheDocument()
})

test("a role without the capability chooses columns locally, without saving", async () => {
  const user = userEvent.setup()
  const { requests } = renderApp(page, boardServer([{ who: "Ana", b: "4" }], "viewer"))
  await screen.findByText(/^Couldn’t find the ranking/)
  await choose("Name", "who")
  await choose("Score", "b")
  const save = columns().getByRole("button", { name: "Save for everyone" })
  expect(save).toHaveAttribute("aria-disabled", "true")
  await user.click(save)
  expect(requests).not.toContain("PUT /api/settings/leaderboardMappings")
  expect(screen.getByRole("button", { name: "Export" })).toHaveAttribute("aria-disabled", "true")
})

test("export has every column as sent, and no formulas", async () => {
  const user = userEvent.setup()
  renderApp(page, boardServer([{ rank: 1, name: "=Ana", member: { id: "m1" }, points: 5, tier: "Gold" }]))
  await places()
  await user.click(screen.getByRole("button", { name: "Export" }))
  await waitFor(() => expect(saved.at(-1)?.name).toBe("Q4 Sprint.csv"))
  expect(await saved.at(-1)?.content.text()).toContain(
    'rank,name,member.id,points,tier\r\n1,"\'=Ana",m1,5,Gold',
  )
})

test("the ranking order is explained when it is not obvious", async () => {
  renderApp(page, boardServer(knownShapes.unranked))
  expect(await screen.findByText(/^No ranks were sent: rows are numbered/)).toBeVisible()
})

test("a failed refetch preserves the rankings, with the error above them", async () => {
  const user = userEvent.setup()
  let fails = false
  const server = boardServer(knownShapes.snake, "manager", {
    "GET /api/program/leaderboards/lb_1/rankings": () =>
      fails ? refusal(500, "upstream_error") : knownShapes.snake,
  })
  renderApp(page, server)
  await places()
  fails = true
  await user.click(screen.getByRole("button", { name: "Refresh" }))
  expect(await screen.findByText(/Couldn’t refresh the rankings/)).toBeVisible()
  expect((await lines())[1]).toContain("Dalia Haddad")
})

test("a role without leaderboards requests nothing", async () => {
  const { requests } = renderApp(page, boardServer(knownShapes.snake, "fulfilment"))
  expect(await screen.findByText("Your role can’t view leaderboards")).toBeVisible()
  expect(requests.filter((each) => each.includes("leaderboard"))).toEqual([])
})

/** The board's history, from snapshots of some days ago. */
const history = (...boards: readonly [days: number, sent: unknown][]) => ({
  "GET /api/leaderboards/lb_1/history": () => ({
    first_at: null,
    snapshots: boards.map(([days, sent]) => {
      const at = new Date(Date.now() - days * 86_400_000).toISOString()
      return { at, places: 3, complete: true, sent }
    }),
  }),
})
const ranked = (...names: string[]) => names.map((name, at) => ({ rank: at + 1, name, points: 90 - at }))

test("movement is shown next to each place, with text for screen readers", async () => {
  const past = history([8, ranked("Cy", "Bo")], [1, ranked("Bo", "Ana", "Cy")])
  renderApp(page, boardServer(ranked("Ana", "Bo", "Cy"), "viewer", past))
  await waitFor(async () => expect((await lines())[1]).toMatch(/Up 1 place.*New/))
  expect(await lines()).toEqual([
    expect.stringMatching(/Since yesterday.*Since/),
    expect.anything(),
    expect.stringMatching(/Bo.*Down 1 place.*No change/),
    expect.stringMatching(/Cy.*No change.*Down 2 places/),
  ])
})

test("without an earlier board the page shows when movement will be available", async () => {
  renderApp(page, boardServer(ranked("Ana")))
  expect(await screen.findByText(/^Movement shows from tomorrow/)).toBeVisible()
})

test("the top ten over time have a link, and a table for keyboard users", async () => {
  const user = userEvent.setup()
  const past = history([2, ranked("Bo", "Ana")], [1, ranked("Ana", "Bo")])
  const { router, requests } = renderApp(page, boardServer(ranked("Ana", "Bo"), "manager", past))
  await places()
  await user.click(screen.getByRole("radio", { name: "Over time" }))
  expect(router.state.location.search).toMatchObject({ view: "history" })
  await user.click(await screen.findByText("Show as table"))
  const table = within(await screen.findByRole("table", { name: "Q4 Sprint over time" }))
  expect(table.getAllByRole("row").map((row) => row.textContent)).toEqual([
    "WhenAnaBo",
    expect.stringMatching(/#1#2$/),
    expect.stringMatching(/#1#2$/),
    expect.stringMatching(/#2#1$/),
  ])
  await user.click(screen.getByRole("radio", { name: "Score" }))
  expect(table.getAllByRole("row")[3]).toHaveTextContent(/8990$/)
  expect(requests.filter((line) => line.includes("/history"))).toHaveLength(1)
})

test("an unknown leaderboard shows that it does not exist, without export or wall display", async () => {
  renderApp("/leaderboards/lb_gone", {
    ...boardServer([]),
    "GET /api/program/leaderboards/lb_gone/rankings": () => refusal(404, "not_found"),
  })
  expect(await screen.findByRole("heading", { level: 1, name: "Leaderboard not found" })).toBeVisible()
  expect(screen.getByText("No leaderboard has the id lb_gone")).toBeVisible()
  expect(screen.getByRole("link", { name: "Back to leaderboards" })).toHaveAttribute("href", "/leaderboards")
  expect(screen.queryByRole("link", { name: "Wall display" })).not.toBeInTheDocument()
})
