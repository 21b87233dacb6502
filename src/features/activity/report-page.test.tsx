import { screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { expect, test, vi } from "vitest"
import { noFacets, synced, syncing } from "../../../tests/support/members/made-up-list.ts"
import { renderApp, sessionOf, type Handlers } from "../../../tests/support/test-app.tsx"

const balances = { ...noFacets, total: 101, points: { sum: 1000, without: 1 } }

const saved = vi.hoisted(() => [] as { name: string; content: Blob }[])
vi.mock("../../lib/save-file.ts", async (original) => ({
  ...(await original<object>()),
  saveFile: (name: string, content: Blob) => saved.push({ name, content }),
}))

const line = (group: string, awarded: number, deducted: number) => ({
  group,
  awarded,
  deducted,
  awards: awarded === 0 ? 0 : 2,
  deductions: deducted === 0 ? 0 : 1,
})

function server(rows = [line("=Bonus", 486_250, 0), line("Correction", 0, 4200)]): Handlers {
  return {
    "GET /api/session": () => sessionOf("manager"),
    "GET /api/status/budget": () => [],
    "GET /api/reports/points": () => ({ rows, total: line("", 486_250, 4200) }),
    "GET /api/members/facets": () => Response.json({ success: true, data: balances, meta: synced }),
  }
}

test("report shows points by reason with totals; grouping and days are in the URL", async () => {
  const user = userEvent.setup()
  const { router, requests } = renderApp("/reports/points?from=2026-11-01&to=2026-11-02", server())
  const table = within(await screen.findByRole("table", { name: "Points by reason" }))
  expect(table.getAllByRole("row")[1]).toHaveTextContent("=Bonus486,250200")
  expect(screen.getByText("Net").parentElement).toHaveTextContent("+482,050")
  const days = "from=2026-10-31T14%3A00%3A00.000Z&to=2026-11-02T13%3A59%3A59.999Z"
  expect(requests).toContain(`GET /api/reports/points?by=reason&${days}`)
  await user.click(screen.getByRole("radio", { name: "Month" }))
  await waitFor(() => expect(requests).toContain(`GET /api/reports/points?by=month&${days}`))
  expect(router.state.location.search).toMatchObject({ by: "month" })
})

test("report shows months by name", async () => {
  renderApp("/reports/points?by=month", server([line("2026-11", 500, 0)]))
  expect(await screen.findByText("Nov 2026")).toBeVisible()
})

test("report downloads without formulas", async () => {
  const user = userEvent.setup()
  renderApp("/reports/points", server())
  await screen.findByRole("table", { name: "Points by reason" })
  await user.click(screen.getByRole("button", { name: "Download" }))
  await waitFor(() => expect(saved[0]?.name).toBe("Points by reason.csv"))
  expect(await saved[0]?.content.text()).toContain('"\'=Bonus",486250,2,0,0')
})

test("outstanding points are of all members, and members without a balance are named", async () => {
  const { requests } = renderApp("/reports/points", server())
  const panel = within(await screen.findByRole("complementary", { name: "Outstanding points" }))
  expect(await panel.findByText("1,000")).toBeVisible()
  expect(panel.getByText(/^101 members, synced/)).toHaveTextContent("1 without a balance")
  expect(requests.filter((each) => each.includes("/members"))).toEqual(["GET /api/members/facets"])
})

test("outstanding points are not shown before all members are synced", async () => {
  renderApp("/reports/points", {
    ...server(),
    "GET /api/members/facets": () => Response.json({ success: true, data: noFacets, meta: syncing }),
  })
  expect(await screen.findByText("Shown once all members are synced.")).toBeVisible()
})

test("an empty report shows what would be counted", async () => {
  renderApp("/reports/points", server([]))
  expect(await screen.findByText("No points awarded yet")).toBeVisible()
})
