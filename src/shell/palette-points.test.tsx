import { screen } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { expect, it } from "vitest"
import type { Role } from "../../contract/roles.ts"
import { emptyLists, renderApp, sessionOf } from "../../tests/support/test-app.tsx"

async function openPalette(role: Role) {
  const app = renderApp("/nowhere", {
    "GET /api/session": () => sessionOf(role),
    "GET /api/status/budget": () => [],
    ...emptyLists,
    "GET /api/program/members": () => [],
  })
  const user = userEvent.setup()
  await screen.findByText("Page not found")
  await user.keyboard("{Control>}k{/Control}")
  await screen.findByRole("combobox")
  return { ...app, user }
}

it("awards points above the page that is there, once a member is chosen", async () => {
  const { user, router } = await openPalette("manager")
  await user.paste("award")
  await user.click(await screen.findByRole("option", { name: /^Award points/ }))
  expect(await screen.findByRole("dialog", { name: "Award points" })).toBeVisible()
  expect(screen.getByRole("combobox", { name: "Member" })).toBeVisible()
  expect(router.state.location.pathname).toBe("/nowhere")
})

it("offers no points to those who may not change them", async () => {
  await openPalette("viewer")
  await screen.findByRole("option", { name: /^Members/ })
  expect(screen.queryByRole("option", { name: /^(Award|Deduct) points/ })).not.toBeInTheDocument()
})
