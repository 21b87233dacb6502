import { screen, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { refusal, renderApp } from "../../../tests/support/test-app.tsx"
import { boardServer } from "../../../tests/support/leaderboards/board-server.ts"

const open = (sent: unknown) =>
  renderApp("/leaderboards", {
    ...boardServer([]),
    "GET /api/program/leaderboards": () =>
      sent instanceof Response ? sent : Response.json({ success: true, data: sent }),
  })

test("boards are listed whatever their fields are called, the rest as sent", async () => {
  open([
    { id: "lb_1", name: "Q4 Sprint", status: "active" },
    { leaderboard_id: "lb 2/3", title: "Top earners", metric: "points" },
    { name: "No id here" },
    "plain",
  ])
  const table = within(await screen.findByRole("table", { name: "Leaderboards" }))
  expect(await table.findByRole("link", { name: "Q4 Sprint" })).toHaveAttribute("href", "/leaderboards/lb_1")
  expect(table.getByRole("link", { name: "Top earners" })).toHaveAttribute("href", "/leaderboards/lb%202%2F3")
  expect(table.getByRole("link", { name: "plain" })).toBeVisible()
  expect(table.getByRole("row", { name: /No id here/ })).toHaveTextContent("cannot be opened")
  expect(table.getByRole("row", { name: /Q4 Sprint/ })).toHaveTextContent("status active")
})

test("no boards yet says where they come from", async () => {
  open([])
  expect(await screen.findByText("No leaderboards yet")).toBeVisible()
})

test("an answer that is no list is shown as it was sent", async () => {
  open("closed for repairs")
  expect(await screen.findByText("The response has no list of leaderboards")).toBeVisible()
  expect(screen.getByRole("region", { name: "Leaderboards as sent" })).toHaveTextContent("closed for repairs")
})

test("a failure says what was not done and offers to try again", async () => {
  open(refusal(500, "upstream_error"))
  expect(await screen.findByText(/Couldn’t load the leaderboards/)).toBeVisible()
  expect(screen.getByRole("button", { name: "Try again" })).toBeVisible()
})
