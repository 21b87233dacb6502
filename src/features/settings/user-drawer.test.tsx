import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { madeUpJob } from "../../../tests/support/activity/made-up-job.ts"
import { makeApp } from "../../../tests/support/settings/fake-app.ts"
import { makeUser } from "../../../tests/support/settings/make-user.ts"
import { openSettings, fakeApp } from "../../../tests/support/settings/open-settings.tsx"

const app = fakeApp()

async function openUser(id: string, name: string) {
  const opened = openSettings(`/settings/users/${id}`)
  const drawer = await screen.findByRole("dialog", { name })
  return { ...opened, drawer: within(drawer) }
}

test("a change of role shows gained and lost permissions before it is saved", async () => {
  const { user, drawer } = await openUser("priya", "Priya Nair")
  await user.click(drawer.getByRole("radio", { name: "Viewer" }))

  expect(drawer.getByText("Priya Nair goes from manager to viewer")).toBeVisible()
  const loses = within(drawer.getByRole("list", { name: "Loses" }))
  expect(loses.getByText("Award, deduct and reverse points")).toBeVisible()
  expect(loses.getByText("View members (then: partly)")).toBeVisible()
  expect(drawer.queryByRole("list", { name: "Gains" })).not.toBeInTheDocument()

  await user.click(drawer.getByRole("button", { name: "Make Priya Nair viewer" }))
  expect(await drawer.findByText("Saved")).toBeVisible()
  expect(app.current.writes).toEqual(['PATCH /api/users/priya {"role":"viewer"}'])
})

test("a new name is sent alone", async () => {
  const { user, drawer } = await openUser("priya", "Priya Nair")
  const name = drawer.getByLabelText("Name")
  await user.clear(name)
  await user.type(name, "Priya N.")
  await user.click(drawer.getByRole("button", { name: "Save" }))
  await waitFor(() => expect(app.current.writes).toEqual(['PATCH /api/users/priya {"name":"Priya N."}']))
})

test("disabling says that all sessions end immediately, and then offers to enable", async () => {
  const { user, drawer } = await openUser("priya", "Priya Nair")
  await user.click(drawer.getByRole("button", { name: "Disable" }))

  const question = within(await screen.findByRole("dialog", { name: "Disable Priya Nair" }))
  expect(question.getByText(/They’re signed out everywhere/)).toBeVisible()
  await user.click(question.getByRole("button", { name: "Disable" }))

  expect(await drawer.findByRole("button", { name: "Enable" })).toBeVisible()
  expect(app.current.writes).toEqual(['PATCH /api/users/priya {"disabled":true}'])
})

test("disabling or demoting names the running jobs that pause", async () => {
  const running = { state: "running", created_by: { id: "priya", name: "Priya Nair" } } as const
  app.current.jobs = [
    madeUpJob({ ...running, id: "J-1", title: "Q3 bonus" }),
    madeUpJob({ ...running, id: "J-2", kind: "order-update", title: "Parcels of today" }),
  ]
  const { user, drawer } = await openUser("priya", "Priya Nair")
  await user.click(drawer.getByRole("radio", { name: "Fulfilment" }))
  // Fulfilment may still change orders.
  expect(await drawer.findByText("1 running job of Priya Nair is paused")).toBeVisible()
  expect(drawer.getByText(/^Q3 bonus\. An administrator/)).toBeVisible()
  await user.click(drawer.getByRole("button", { name: "Disable" }))
  const question = within(await screen.findByRole("dialog", { name: "Disable Priya Nair" }))
  expect(await question.findByText("2 running jobs of Priya Nair are paused")).toBeVisible()
  expect(question.getByText(/^Q3 bonus and Parcels of today\./)).toBeVisible()
})

test("a new password link is shown once, with a note that earlier ones stop working", async () => {
  const { user, drawer } = await openUser("ana", "Ana Silva")
  await user.click(drawer.getByRole("button", { name: "New link" }))
  const question = within(await screen.findByRole("dialog", { name: "New password link for Ana Silva" }))
  expect(question.getByText(/Earlier links stop working/)).toBeVisible()
  await user.click(question.getByRole("button", { name: "Create link" }))

  const field = await screen.findByLabelText("One-time link")
  expect(field).toHaveValue(`${window.location.origin}/set-password#token=token-1`)
})

test("own access cannot be disabled or demoted, with the reason shown beforehand", async () => {
  const { drawer } = await openUser("helen", "Helen Park")
  expect(drawer.getByRole("button", { name: "Disable" })).toBeDisabled()
  expect(drawer.getByText(/You can’t disable yourself/)).toBeVisible()
  for (const role of drawer.getAllByRole("radio")) expect(role).toBeDisabled()
  expect(drawer.getByText(/You can’t change your own role/)).toBeVisible()
})

const olga = makeUser({ id: "olga", name: "Olga Reyes", role: "admin" })

test("a role refused by the server shows the message at the role", async () => {
  app.set({ users: [...makeApp().users, olga] })
  const { user, drawer } = await openUser("olga", "Olga Reyes")
  await user.click(drawer.getByRole("radio", { name: "Manager" }))
  await user.click(drawer.getByRole("button", { name: "Make Olga Reyes manager" }))

  expect(await drawer.findByRole("alert")).toHaveTextContent("Couldn’t save the changes.")
  expect(drawer.getByText("This is the last administrator. Nothing was saved.")).toBeVisible()
  expect(drawer.getByRole("radio", { name: "Manager" })).toBeChecked()
})

test("disabling refused by the server shows the message in the dialog", async () => {
  app.set({ users: [...makeApp().users, olga] })
  const { user, drawer } = await openUser("olga", "Olga Reyes")
  await user.click(drawer.getByRole("button", { name: "Disable" }))
  const question = within(await screen.findByRole("dialog", { name: "Disable Olga Reyes" }))
  await user.click(question.getByRole("button", { name: "Disable" }))

  const refusal = await question.findByRole("alert")
  expect(refusal).toHaveTextContent("Couldn’t disable the user.")
  expect(refusal).toHaveTextContent("This is the last administrator. Nothing was saved.")
})

test("a URL without a user shows that there is none", async () => {
  openSettings("/settings/users/nobody")
  const drawer = within(await screen.findByRole("dialog", { name: "User" }))
  expect(await drawer.findByText(/Couldn’t load the user/)).toBeVisible()
})
