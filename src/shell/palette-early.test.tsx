import { screen, waitFor } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { expect, it, vi } from "vitest"
import { emptyLists, renderApp, sessionOf } from "../../tests/support/test-app.tsx"

const arrival = vi.hoisted(() => Promise.withResolvers<void>())

vi.mock("./palette-results.tsx", async (original) => {
  await arrival.promise
  return original()
})

it("keeps what is typed, Enter too, while its results are still being fetched", async () => {
  const app = renderApp("/nowhere", {
    "GET /api/session": () => sessionOf("manager"),
    "GET /api/status/budget": () => [],
    ...emptyLists,
    "GET /api/program/members": () => [{ id: "mem_1", first_name: "Ana", last_name: "Silva" }],
  })
  await screen.findByText("Page not found")
  const go = vi.spyOn(app.router, "navigate").mockResolvedValue(undefined)
  const user = userEvent.setup()

  await user.keyboard("{Control>}k{/Control}ana s{Enter}")
  const input = screen.getByRole("combobox")
  expect(input).toHaveFocus()
  expect(input).toHaveValue("ana s")
  expect(screen.queryByRole("listbox")).not.toBeInTheDocument()

  arrival.resolve()
  await waitFor(() => expect(go).toHaveBeenCalledWith({ href: "/members/mem_1" }))
  expect(app.requests.filter((line) => line.includes("search="))).toHaveLength(1)
  vi.unstubAllGlobals()
})
