import { screen, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { openPage } from "../../../tests/support/open-page.tsx"
import { people } from "../../../tests/support/people.ts"

const about = { version: "1.0.0", environment: "sandbox", set_up_needed: false, demo_accounts: [] }

async function sections() {
  const navigation = await screen.findByRole("navigation", { name: "Settings" })
  return within(navigation)
    .getAllByRole("link")
    .map((link) => link.textContent)
}

test("an administrator sees every section and starts with the users", async () => {
  const { router } = await openPage("/settings", { as: "admin", users: people })
  expect(await sections()).toEqual([
    "Users and roles",
    "Program",
    "Gift cards",
    "Carriers",
    "Data",
    "Status",
    "Your sessions",
    "Error codes",
    "About",
  ])
  expect(router.state.location.pathname).toBe("/settings/users")
  expect(await screen.findByRole("link", { name: "Priya Nair" })).toBeVisible()
})

test("users are listed with e-mail, role and state", async () => {
  await openPage("/settings/users", { as: "admin", users: people })
  const row = await screen.findByRole("row", { name: /Ana Silva/ })
  expect(row).toHaveTextContent("ana@laurel.test")
  expect(row).toHaveTextContent("Viewer")
  expect(row).toHaveTextContent("Link not used yet")
  expect(row).toHaveTextContent("Not yet")
})

test.each(["manager", "fulfilment", "viewer"] as const)(
  "a %s does not see the users section, and its URL names the role it needs",
  async (role) => {
    await openPage("/settings/users/olga", { as: role, users: people })
    const cards = role === "fulfilment" ? [] : ["Gift cards"]
    const data = role === "manager" ? ["Data"] : []
    const rest = ["Status", "Your sessions", "Error codes", "About"]
    expect(await sections()).toEqual(["Program", ...cards, "Carriers", ...data, ...rest])
    expect(await screen.findByText(/Requires the Administrator role/)).toBeVisible()
    expect(screen.queryByText("Olga Reyes")).not.toBeInTheDocument()
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument()
  },
)

test("the window title names the section", async () => {
  await openPage("/settings/about", { answers: { "GET /api/about": () => about } })
  expect(await screen.findByText("Run your incentive program")).toBeVisible()
  expect(document.title).toBe("About · Settings · Laurel")
})
