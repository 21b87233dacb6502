import { screen } from "@testing-library/react"
import { expect, test } from "vitest"
import { renderApp } from "../../tests/support/test-app.tsx"

test("an address that cannot be decoded is called a damaged link, with the way to Home", async () => {
  renderApp("/orders/%E0%A4%A", {})
  expect(await screen.findByRole("heading", { name: "This link is damaged" })).toBeVisible()
  expect(screen.getByText(/Nothing was changed/)).toBeVisible()
  expect(screen.getByRole("link", { name: "Go to Home" })).toHaveAttribute("href", "/")
})
