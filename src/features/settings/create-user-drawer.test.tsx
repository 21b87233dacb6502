import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { permissions, roleNames, roles } from "../../../contract/roles.ts"
import { fill, openPage } from "../../../tests/support/open-page.tsx"
import { people } from "../../../tests/support/people.ts"

async function fillIn(name: string, email: string) {
  const opened = await openPage("/settings/users/new", { as: "admin", users: people })
  const drawer = await screen.findByRole("dialog", { name: "New user" })
  await fill(opened.user, within(drawer).getByLabelText("Name"), name)
  await fill(opened.user, within(drawer).getByLabelText("E-mail"), email)
  return { ...opened, drawer }
}

test("a new user's link is shown once, can be copied, and is not stored", async () => {
  const { user, router, queryClient, writes } = await fillIn("Tom Okafor", "tom@laurel.test")
  await user.click(screen.getByRole("radio", { name: "Fulfilment" }))
  await user.click(screen.getByRole("button", { name: "Create Tom Okafor" }))

  const field = await screen.findByLabelText("One-time link")
  const address = `${window.location.origin}/set-password#made-up`
  expect(field).toHaveValue(address)
  expect(screen.getByText("Tom Okafor was added as fulfilment")).toBeVisible()
  expect(screen.getByText("24 hours, one use")).toBeVisible()
  expect(writes).toMatchObject([
    {
      line: "POST /api/users",
      body: { name: "Tom Okafor", email: "tom@laurel.test", role: "fulfilment" },
    },
  ])
  expect(router.state.location.href).toBe("/settings/users/new")
  const stored = [localStorage, sessionStorage].flatMap((storage) =>
    Object.keys(storage).map((key) => storage.getItem(key)),
  )
  expect(stored.join(" ")).not.toContain("#made-up")

  await user.click(screen.getByRole("button", { name: "Copy link" }))
  expect(await navigator.clipboard.readText()).toBe(address)
  await user.click(screen.getByRole("button", { name: "Done" }))
  await waitFor(() => expect(router.state.location.pathname).toBe("/settings/users"))
  expect(await screen.findByRole("link", { name: "Tom Okafor" })).toBeVisible()
  expect(screen.queryByLabelText("One-time link")).not.toBeInTheDocument()
  const caches = [...queryClient.getMutationCache().getAll(), ...queryClient.getQueryCache().getAll()].map(
    ({ state }) => state.data,
  )
  expect(JSON.stringify(caches)).not.toContain("#made-up")
})

test("closing without having copied the link asks first", async () => {
  const { user, router } = await fillIn("Tom Okafor", "tom@laurel.test")
  await user.click(screen.getByRole("button", { name: "Create Tom Okafor" }))
  await user.click(await screen.findByRole("button", { name: "Done" }))

  const question = await screen.findByRole("dialog", { name: "The link wasn’t copied" })
  await user.click(within(question).getByRole("button", { name: "Cancel" }))
  expect(await screen.findByLabelText("One-time link")).toBeVisible()

  await user.click(screen.getByRole("button", { name: "Done" }))
  await user.click(await screen.findByRole("button", { name: "Close anyway" }))
  await waitFor(() => expect(router.state.location.pathname).toBe("/settings/users"))
})

test("an e-mail in use is reported at its field, with the typed values preserved", async () => {
  const { user, drawer } = await fillIn("Priya Again", "priya@laurel.test")
  await user.click(screen.getByRole("button", { name: "Create Priya Again" }))

  const email = within(drawer).getByLabelText("E-mail")
  await waitFor(() => expect(email).toHaveAccessibleDescription(/Another user already has this e-mail/))
  expect(email).toHaveValue("priya@laurel.test")
  expect(within(drawer).getByLabelText("Name")).toHaveValue("Priya Again")
})

test("an empty name and an invalid e-mail are not sent to the server", async () => {
  const { user, drawer, writes } = await fillIn(" ", "not an address")
  await user.click(screen.getByRole("button", { name: "Create the user" }))
  expect(await within(drawer).findByText("Enter a name.")).toBeVisible()
  expect(within(drawer).getByText(/Enter an e-mail address like/)).toBeVisible()
  expect(writes).toEqual([])
})

test("role permissions are listed next to the choice, one row each", async () => {
  const { user, drawer } = await fillIn("Tom", "tom@laurel.test")
  await user.click(within(drawer).getByText("What each role may do"))
  const table = within(drawer).getByRole("table", { name: "What each role may do" })
  for (const role of roles) {
    expect(within(table).getByRole("columnheader", { name: roleNames[role] })).toBeVisible()
  }
  for (const { label } of Object.values(permissions)) {
    expect(within(table).getByRole("rowheader", { name: label })).toBeVisible()
  }
  const row = within(table).getByRole("row", { name: /^Delete members/ })
  const cells = within(row)
    .getAllByRole("cell")
    .map((cell) => cell.textContent)
  expect(cells).toEqual(["Yes", "–No", "–No", "–No"])
})
