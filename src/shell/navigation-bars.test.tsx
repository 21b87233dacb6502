import { screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { session } from "../../contract/session.ts"
import { roles, type Role } from "../../contract/roles.ts"
import { navigationFor } from "./navigation.ts"
import { renderApp, sessionOf } from "../../tests/support/test-app.tsx"
import { fill } from "../../tests/support/open-page.tsx"

const { matchMedia } = globalThis

// A phone: wider windows have the other navigation.
beforeEach(() => {
  vi.stubGlobal("matchMedia", (query: string) =>
    Object.assign(matchMedia(query), { matches: query === "(width < 640px)" }),
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const bar = async () => within(await screen.findByRole("navigation", { name: "Main, bottom" }))

function open(role: Role, address = "/nowhere", attention = 0) {
  const app = renderApp(address, {
    "GET /api/session": () => sessionOf(role),
    "GET /api/status/budget": () => [],
    "GET /api/jobs/summary": () => ({ active: 0, attention }),
    "GET /api/jobs": () => [],
  })
  return { ...app, user: userEvent.setup({ delay: null }) }
}

test.each(roles)(
  "%s reaches every page they may open: five in the bar, the others behind More",
  async (role) => {
    const { user } = open(role)
    const pages = navigationFor(session.parse(sessionOf(role))).flat()
    const links = (await bar()).getAllByRole("link")
    expect(links.map((link) => link.getAttribute("href"))).toEqual(pages.slice(0, 5).map(({ to }) => to))
    await user.click((await bar()).getByRole("button", { name: "More" }))
    const menu = within(await screen.findByRole("menu"))
    for (const { label, to } of pages.slice(5)) {
      expect(menu.getByRole("menuitem", { name: label })).toHaveAttribute("href", to)
    }
    expect(menu.getByRole("menuitem", { name: "Sign out" })).toBeInTheDocument()
  },
)

test("More is worked with the keys alone", async () => {
  const { user } = open("manager")
  const more = (await bar()).getByRole("button", { name: "More" })
  more.focus()
  await user.keyboard("{Enter}")
  const menu = await screen.findByRole("menu")
  await waitFor(() => expect(menu.contains(document.activeElement)).toBe(true))
  await user.keyboard("{ArrowDown}")
  expect(within(menu).getAllByRole("menuitem")).toContain(document.activeElement)
  await user.keyboard("{Escape}")
  await waitFor(() => expect(screen.queryByRole("menu")).not.toBeInTheDocument())
})

test("what waits behind More is counted on it", async () => {
  open("manager", "/nowhere", 2)
  const nav = await screen.findByRole("navigation", { name: "Main, bottom" })
  await waitFor(() => expect(nav).toHaveTextContent("More2 need attention"))
})

test("the password is changed from the user menu, and a refusal is shown at its field", async () => {
  const bodies: unknown[] = []
  const app = renderApp("/nowhere", {
    "GET /api/session": () => sessionOf("viewer"),
    "GET /api/status/budget": () => [],
    "GET /api/jobs": () => [],
    "PUT /api/session/password": ({ body }) => {
      bodies.push(body)
      if (bodies.length > 1) return new Response(null, { status: 204 })
      const fields = [{ field: "current_password", message: "This is not your current password." }]
      const error = { code: "validation", message: "No.", requestId: "r-1", details: { fields } }
      return Response.json({ success: false, error }, { status: 422 })
    },
  })
  const user = userEvent.setup({ delay: null })
  await user.click((await bar()).getByRole("button", { name: "More" }))
  await user.click(await screen.findByRole("menuitem", { name: "Change password" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Change password" }))
  const [current, next] = [dialog.getByLabelText("Current password"), dialog.getByLabelText("New password")]
  await fill(user, current, "not-this-one")
  await fill(user, next, "short")
  await user.click(dialog.getByRole("button", { name: "Change password" }))
  expect(dialog.getByText("At least 10 characters.")).toBeInTheDocument()
  await fill(user, next, " becomes long")
  await user.click(dialog.getByRole("button", { name: "Change password" }))
  expect(await dialog.findByText("This is not your current password.")).toBeInTheDocument()
  await user.click(dialog.getByRole("button", { name: "Change password" }))
  expect(await dialog.findByText("Password changed")).toBeInTheDocument()
  expect(bodies.at(-1)).toEqual({ current_password: "not-this-one", new_password: "short becomes long" })
  expect(app.requests.join()).not.toContain("not-this-one")
})
