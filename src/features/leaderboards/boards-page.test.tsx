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

test("boards are listed by id and name, with the other fields as sent", async () => {
  open([
    { id: "lb_1", name: "Q4 Sprint", status: "active", period: { days: 7 } },
    { leaderboard_id: "lb 2/3", title: "Top earners", metric: "points" },
    { name: "No id here" },
    { Id: 4 },
  ])
  const table = within(await screen.findByRole("table", { name: "Leaderboards" }))
  expect(await table.findByRole("link", { name: "Q4 Sprint" })).toHaveAttribute("href", "/leaderboards/lb_1")
  expect(table.getByRole("link", { name: "Top earners" })).toHaveAttribute("href", "/leaderboards/lb%202%2F3")
  expect(table.getByRole("link", { name: "4" })).toBeVisible()
  expect(table.getByRole("row", { name: /No id here/ })).toHaveTextContent("cannot be opened")
  expect(table.getByRole("row", { name: /Q4 Sprint/ })).toHaveTextContent("status: active, period.days: 7")
})

test("an empty list explains where boards come from", async () => {
  open([])
  expect(await screen.findByText("No leaderboards yet")).toBeVisible()
})

test("names a response that is not a list of records", async () => {
  open("closed for repairs")
  expect(await screen.findByText("The response has no list of leaderboards")).toBeVisible()
})

test("an error says what failed and offers a retry", async () => {
  open(refusal(500, "upstream_error"))
  expect(await screen.findByText(/Couldn’t load the leaderboards/)).toBeVisible()
  expect(screen.getByRole("button", { name: "Try again" })).toBeVisible()
})
