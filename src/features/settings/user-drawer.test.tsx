import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { madeUpJob } from "../../../tests/support/activity/made-up-job.ts"
import { openPage } from "../../../tests/support/open-page.tsx"
import { people } from "../../../tests/support/people.ts"
import type { Handlers } from "../../../tests/support/test-app.tsx"

async function openUser(id: string, name: string, answers: Handlers = {}) {
  const opened = await openPage(`/settings/users/${id}`, { as: "admin", users: people, answers })
  const drawer = await screen.findByRole("dialog", { name })
  return { ...opened, drawer: within(drawer) }
}

test("a change of role shows gained and lost permissions before it is saved", async () => {
  const { user, drawer, writes } = await openUser("priya", "Priya Nair")
  await user.click(drawer.getByRole("radio", { name: "Viewer" }))

  expect(drawer.getByText("Priya Nair goes from manager to viewer")).toBeVisible()
  const loses = within(drawer.getByRole("list", { name: "Loses" }))
  expect(loses.getByText("Award, deduct and reverse points")).toBeVisible()
  expect(loses.getByText("View members (then: partly)")).toBeVisible()
  expect(drawer.queryByRole("list", { name: "Gains" })).not.toBeInTheDocument()

  await user.click(drawer.getByRole("button", { name: "Make Priya Nair viewer" }))
  expect(await drawer.findByText("Saved")).toBeVisible()
  expect(writes).toMatchObject([{ line: "PATCH /api/users/priya", body: { role: "viewer" } }])
})

test("a new name is sent alone", async () => {
  const { user, drawer, writes } = await openUser("priya", "Priya Nair")
  const name = drawer.getByLabelText("Name")
  await user.clear(name)
  await user.type(name, "Priya N.")
  await user.click(drawer.getByRole("button", { name: "Save" }))
  await waitFor(() => expect(writes.map(({ body }) => body)).toEqual([{ name: "Priya N." }]))
})

test("disabling says that all sessions end immediately, and then offers to enable", async () => {
  const { user, drawer, writes } = await openUser("priya", "Priya Nair")
  await user.click(drawer.getByRole("button", { name: "Disable" }))

  const question = within(await screen.findByRole("dialog", { name: "Disable Priya Nair" }))
  expect(question.getByText(/They’re signed out everywhere/)).toBeVisible()
  await user.click(question.getByRole("button", { name: "Disable" }))

  expect(await drawer.findByRole("button", { name: "Enable" })).toBeVisible()
  expect(writes.map(({ body }) => body)).toEqual([{ disabled: true }])
})

test("disabling or demoting names the running jobs that pause", async () => {
  const running = { state: "running", created_by: { id: "priya", name: "Priya Nair" } } as const
  const { user, drawer } = await openUser("priya", "Priya Nair", {
    "GET /api/jobs": () => [
      madeUpJob({ ...running, id: "J-1", title: "Q3 bonus" }),
      madeUpJob({ ...running, id: "J-2", kind: "order-update", title: "Parcels of today" }),
    ],
  })
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
  expect(field).toHaveValue(`${window.location.origin}/set-password#made-up`)
})

test("own access cannot be disabled or demoted, with the reason shown beforehand", async () => {
  const { drawer } = await openUser("user-admin", "Helen Park")
  expect(drawer.getByRole("button", { name: "Disable" })).toBeDisabled()
  expect(drawer.getByText(/You can’t disable yourself/)).toBeVisible()
  for (const role of drawer.getAllByRole("radio")) expect(role).toBeDisabled()
  expect(drawer.getByText(/You can’t change your own role/)).toBeVisible()
})

const refused = {
  "PATCH /api/users/olga": ({ body }: { body: unknown }) => {
    const field = JSON.stringify(body).includes("disabled") ? "disabled" : "role"
    const message = "This is the last administrator. Nothing was saved."
    const error = { code: "validation", message, requestId: "r-1", details: { fields: [{ field, message }] } }
    return Response.json({ success: false, error }, { status: 422 })
  },
}

test("a role refused by the server shows the message at the role", async () => {
  const { user, drawer } = await openUser("olga", "Olga Reyes", refused)
  await user.click(drawer.getByRole("radio", { name: "Manager" }))
  await user.click(drawer.getByRole("button", { name: "Make Olga Reyes manager" }))

  expect(await drawer.findByRole("alert")).toHaveTextContent("Couldn’t save the changes.")
  expect(drawer.getByText("This is the last administrator. Nothing was saved.")).toBeVisible()
  expect(drawer.getByRole("radio", { name: "Manager" })).toBeChecked()
})

test("disabling refused by the server shows the message in the dialog", async () => {
  const { user, drawer } = await openUser("olga", "Olga Reyes", refused)
  await user.click(drawer.getByRole("button", { name: "Disable" }))
  const question = within(await screen.findByRole("dialog", { name: "Disable Olga Reyes" }))
  await user.click(question.getByRole("button", { name: "Disable" }))

  const refusal = await question.findByRole("alert")
  expect(refusal).toHaveTextContent("Couldn’t disable the user.")
  expect(refusal).toHaveTextContent("This is the last administrator. Nothing was saved.")
})

test("a URL without a user shows that there is none", async () => {
  await openPage("/settings/users/nobody", { as: "admin", users: people })
  const drawer = within(await screen.findByRole("dialog", { name: "User" }))
  expect(await drawer.findByText(/Couldn’t load the user/)).toBeVisible()
})
