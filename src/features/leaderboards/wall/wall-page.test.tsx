import { act, screen } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { describe, expect, test } from "vitest"
import { rankingsQuery } from "../../../api/leaderboards.ts"
import { showTimesIn, timeOfDay } from "../../../lib/time.ts"
import { refusal, renderDesk } from "../../../../tests/support/test-desk.tsx"
import { boardServer } from "../../../../tests/support/leaderboards/board-server.ts"
import { knownShapes, nonsense } from "../../../../tests/support/leaderboards/shapes.ts"

const wall = "/leaderboards/lb_1/wall?limit=10"

test("the places stand alone, with their age and the way out", async () => {
  const user = userEvent.setup()
  const { router } = renderDesk(wall, boardServer(knownShapes.nested))
  const [first] = await screen.findAllByRole("listitem")
  expect(first).toHaveTextContent("1Dalia HaddadTop End Climate31,200")
  expect(screen.getByText(/^Updated/)).toBeVisible()
  expect(screen.getByText("Updates every 1 min")).toBeVisible()
  expect(screen.queryByRole("navigation")).toBeNull()
  await user.keyboard("{Escape}")
  expect(router.state.location).toMatchObject({ pathname: "/leaderboards/lb_1", search: { limit: 10 } })
})

test("its times are the program's, also when it is the first page that is opened", async () => {
  showTimesIn("America/New_York")
  renderDesk(wall, boardServer(knownShapes.nested))
  await screen.findAllByRole("listitem")
  expect(timeOfDay("2026-11-22T16:18:09Z")).toBe("02:18")
})

test("another shape, nonsense and a failure later, it still shows places", async () => {
  let sent: unknown = knownShapes.snake
  const { queryClient } = renderDesk(
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
  await again(knownShapes.german)
  expect(await screen.findByText("31,200")).toBeVisible()
  await again(refusal(500, "upstream_error"))
  expect(await screen.findByText(/Retries automatically/)).toBeVisible()
  expect(screen.getByText("Dalia Haddad")).toBeVisible()
})

describe("whatever comes, the wall shows it", () => {
  test.each(Object.entries(nonsense))("%s", async (_, [sent, shown]) => {
    renderDesk(wall, boardServer(sent))
    expect((await screen.findAllByText(shown))[0]).toBeVisible()
  })
})
