import { act, screen, waitFor } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { afterEach, expect, it, vi } from "vitest"
import type { Role } from "../../../contract/roles.ts"
import { overlay } from "../shell-state.ts"
import { renderDesk, sessionOf } from "../test-desk.tsx"

afterEach(() => {
  act(() => overlay.set(null))
  vi.unstubAllGlobals()
})

async function openPalette(role: Role) {
  const desk = renderDesk("/settings/about", {
    "GET /api/session": () => sessionOf(role),
    "GET /api/about": () => ({ name: "Laurel", version: "1.0.0", environment: "sandbox", accounts: [] }),
    "GET /api/status": () => Promise.withResolvers<unknown>().promise,
    "GET /api/status/budget": () => [],
    "GET /api/program/members": () => [],
  })
  const user = userEvent.setup()
  await screen.findByRole("navigation", { name: "Main" })
  await user.keyboard("{Control>}k{/Control}")
  await screen.findByRole("combobox")
  return { ...desk, user }
}

it("awards points above the page that is there, once a member is chosen", async () => {
  const { user, router } = await openPalette("manager")
  await user.paste("award")
  await waitFor(() => expect(screen.getByRole("option", { name: "Award points" })).toBeVisible())
  await user.click(screen.getByRole("option", { name: "Award points" }))
  expect(await screen.findByRole("dialog", { name: "Award points" })).toBeVisible()
  expect(screen.getByRole("combobox", { name: "Member" })).toBeVisible()
  expect(router.state.location.pathname).toBe("/settings/about")
})

it("offers no points to those who may not change them", async () => {
  const { user } = await openPalette("viewer")
  await user.paste("points")
  expect(await screen.findByText(/No member|Nothing/)).toBeVisible()
  expect(screen.queryByRole("option", { name: "Award points" })).not.toBeInTheDocument()
})
