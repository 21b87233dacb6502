import { act, screen } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { describe, expect, test, vi } from "vitest"
import { rankingsQuery } from "../../api/leaderboards.ts"
import { showTimesIn, timeOfDay } from "../../lib/time.ts"
import { refusal, renderApp } from "../../../tests/support/test-app.tsx"
import { boardServer } from "../../../tests/support/leaderboards/board-server.ts"
import { knownShapes, nonsense } from "../../../tests/support/leaderboards/shapes.ts"

const wall = "/leaderboards/lb_1/wall?limit=10"

test("wall display shows only the places, their age and the way out", async () => {
  const user = userEvent.setup()
  const { router } = renderApp(wall, boardServer(knownShapes.nested))
  const [first] = await screen.findAllByRole("listitem")
  expect(first).toHaveTextContent(/^1Dalia HaddadTop End Climate.*31,200$/)
  expect(screen.getByText(/^Updated/)).toBeVisible()
  expect(screen.getByText("Updates every minute")).toBeVisible()
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
  await again(knownShapes.texts)
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

test("wall display refetches each minute", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "setTimeout", "clearInterval", "clearTimeout", "Date"] })
  const { requests } = renderApp(wall, boardServer(knownShapes.nested))
  await vi.waitFor(() => expect(screen.getByText("Dalia Haddad")).toBeVisible(), {
    timeout: 25_000,
  })
  const reads = () => requests.filter((line) => line.includes("/rankings?")).length
  expect(reads()).toBe(1)
  await act(() => vi.advanceTimersByTimeAsync(62_000))
  expect(reads()).toBe(2)
  vi.useRealTimers()
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
