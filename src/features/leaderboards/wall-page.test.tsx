import { act, screen } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { describe, expect, test } from "vitest"
import type { BudgetState } from "../../../contract/response.ts"
import { rankingsQuery } from "../../api/leaderboards.ts"
import { showTimesIn, timeOfDay } from "../../lib/time.ts"
import { refusal, renderApp } from "../../../tests/support/test-app.tsx"
import { boardServer } from "../../../tests/support/leaderboards/board-server.ts"
import { knownShapes, nonsense } from "../../../tests/support/leaderboards/shapes.ts"
import { wallPace } from "./wall-page.tsx"

const wall = "/leaderboards/lb_1/wall?limit=10"

test("wall display shows only the places, their age and the way out", async () => {
  const user = userEvent.setup()
  const { router } = renderApp(wall, boardServer(knownShapes.nested))
  const [first] = await screen.findAllByRole("listitem")
  expect(first).toHaveTextContent("1Dalia HaddadTop End Climate31,200")
  expect(screen.getByText(/^Updated/)).toBeVisible()
  expect(screen.getByText("Updates every 1 min")).toBeVisible()
  expect(screen.queryByRole("navigation")).toBeNull()
  await user.keyboard("{Escape}")
  expect(router.state.location).toMatchObject({ pathname: "/leaderboards/lb_1", search: { limit: 10 } })
})

test("wall display uses the program's time zone, also as the first page", async () => {
  showTimesIn("America/New_York")
  renderApp(wall, boardServer(knownShapes.nested))
  await screen.findAllByRole("listitem")
  expect(timeOfDay("2026-11-22T16:18:09Z")).toBe("02:18")
})

test("wall display shows places after a different shape, an invalid response and a failure", async () => {
  let sent: unknown = knownShapes.snake
  const { queryClient } = renderApp(
    wall,
    boardServer([], "viewer", {
      "GET /api/program/leaderboards/lb_1/rankings": () =>
        sent instanceof Response ? sent.clone() : Response.json({ success: true, data: sent }),
    }),
  )
  const again = async (now: unknown) => {
    sent = now
    await act(() => queryClient.refetchQueries({ queryKey: rankingsQuery("lb_1", 10).queryKey }))
  }
  await screen.findByText("Dalia Haddad")
  await again("closed")
  expect(await screen.findByText(/"closed"/)).toBeVisible()
  await again(knownShapes.commas)
  expect(await screen.findByText("31,200")).toBeVisible()
  await again(refusal(500, "upstream_error"))
  expect(await screen.findByText(/Retries automatically/)).toBeVisible()
  expect(screen.getByText("Dalia Haddad")).toBeVisible()
})

describe("wall display shows any response", () => {
  test.each(Object.entries(nonsense))("%s", async (_, [sent, shown]) => {
    renderApp(wall, boardServer(sent))
    expect((await screen.findAllByText(shown))[0]).toBeVisible()
  })
})

const budget = (left: number, waiting = 0, api: BudgetState["api"] = "program"): BudgetState => ({
  api,
  limit: 60,
  left,
  left_for_jobs: 0,
  next_in_ms: 0,
  waiting,
})

test("wall display refetches at most once a minute, less often while the budget is low or users wait", () => {
  expect(wallPace(undefined)).toBe(61_000)
  expect(wallPace([budget(60)])).toBe(61_000)
  expect(wallPace([budget(0, 0, "giftcard"), budget(40)])).toBe(61_000)
  expect(wallPace([budget(15)])).toBe(122_000)
  expect(wallPace([budget(6)])).toBe(305_000)
  expect(wallPace([budget(40, 1)])).toBe(305_000)
})

test("wall display shows movement since yesterday", async () => {
  const at = new Date(Date.now() - 86_400_000).toISOString()
  const sent = [
    { rank: 1, name: "Bo", points: 9 },
    { rank: 2, name: "Ana", points: 8 },
  ]
  const now = [
    { rank: 1, name: "Ana", points: 19 },
    { rank: 2, name: "Bo", points: 18 },
  ]
  const snapshots = [{ at, places: 2, complete: true, sent }]
  renderApp(
    wall,
    boardServer(now, "viewer", { "GET /api/leaderboards/lb_1/history": () => ({ first_at: at, snapshots }) }),
  )
  expect(await screen.findByText("Up 1 place")).toBeInTheDocument()
  expect(screen.getByText("Down 1 place")).toBeInTheDocument()
  expect(screen.getByText("Arrows: since yesterday")).toBeVisible()
})
