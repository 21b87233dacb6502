import { screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import { fill, ana, openPage, setAna } from "../../../../tests/support/open-page.tsx"

const page = `/members/${ana.id}`
const line = (method: string) => `${method} /api/program/members/${ana.id}`

const openDelete = async (as: "admin" | "manager" = "admin") => {
  const opened = await openPage(`${page}/delete`, { as })
  return { ...opened, dialog: within(await screen.findByRole("dialog", { name: "Delete Ana Silva" })) }
}

describe("deleting a member", () => {
  it("offers deactivating first and requires the member's e-mail", async () => {
    const { user, router, bodies, dialog } = await openDelete()
    expect(dialog.getByRole("link", { name: "Deactivate instead" })).toBeVisible()
    const button = dialog.getByRole("button", { name: "Delete permanently" })
    await fill(user, dialog.getByRole("textbox"), ana.email.slice(0, -1))
    expect(button).toBeDisabled()
    await user.type(dialog.getByRole("textbox"), ana.email.slice(-1))
    await user.click(button)
    await waitFor(() => expect(router.state.location.pathname).toBe("/members"))
    expect(await screen.findByText("Ana Silva was deleted")).toBeVisible()
    expect(bodies(line("DELETE"))).toEqual([{ email: ana.email }])
  })

  it("stays open with the reason when the service refuses", async () => {
    const { user, dialog, sandbox } = await openDelete()
    sandbox.faults.add({ kind: "before-commit-500", status: 403, match: { method: "DELETE" } })
    await fill(user, dialog.getByRole("textbox"), ana.email.toUpperCase())
    await user.click(dialog.getByRole("button", { name: "Delete permanently" }))
    expect(await dialog.findByRole("alert")).toBeVisible()
    expect(dialog.getByRole("textbox")).toHaveValue(ana.email.toUpperCase())
  })

  it("is not available to a manager by URL either", async () => {
    const { dialog } = await openDelete("manager")
    expect(dialog.getByText("Deleting requires the Administrator role")).toBeVisible()
    expect(dialog.getByRole("textbox")).toBeDisabled()
  })
})

describe("deactivating a member", () => {
  it("sends only the status and shows it on the page", async () => {
    const { user, router, bodies } = await openPage(`${page}/deactivate?type=award`)
    await user.click(await screen.findByRole("button", { name: "Deactivate Ana Silva" }))
    await waitFor(() => expect(router.state.location.href).toBe(`${page}?type=award`))
    expect(bodies(line("PATCH"))).toEqual([{ status: "inactive" }])
    expect(screen.getByText("Inactive")).toBeVisible()
  })

  it("activates a member that is pending", async () => {
    const { user, bodies } = await openPage(`${page}/deactivate`, { prepare: setAna({ status: "pending" }) })
    await user.click(await screen.findByRole("button", { name: "Activate Ana Silva" }))
    await waitFor(() => expect(bodies(line("PATCH"))).toEqual([{ status: "active" }]))
  })
})
