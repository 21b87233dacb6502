import { screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import { ana, openMember, refusal } from "../../../../tests/support/members/open-member.tsx"

const path = `/api/program/members/${ana.id}`

describe("deleting a member", () => {
  it("offers deactivating first and requires the member's e-mail", async () => {
    const { user, router, sent } = openMember("/members/mem_ana/delete", {
      answers: { [`DELETE ${path}`]: () => new Response(null, { status: 204 }) },
    })
    const dialog = within(await screen.findByRole("dialog", { name: "Delete Ana Silva" }))
    expect(dialog.getByRole("link", { name: "Deactivate instead" })).toBeVisible()
    const button = dialog.getByRole("button", { name: "Delete permanently" })
    await user.type(dialog.getByRole("textbox"), "ana.silva@coastal.tes")
    expect(button).toBeDisabled()
    await user.type(dialog.getByRole("textbox"), "t")
    await user.click(button)
    await waitFor(() => expect(router.state.location.pathname).toBe("/members"))
    expect(await screen.findByText("Ana Silva was deleted")).toBeVisible()
    expect(sent("DELETE").map((one) => one.body)).toEqual([{ email: ana.email }])
  })

  it("stays open with the reason when the service refuses", async () => {
    const { user } = openMember("/members/mem_ana/delete", {
      answers: { [`DELETE ${path}`]: () => refusal(403, "forbidden", "No.") },
    })
    const dialog = within(await screen.findByRole("dialog", { name: "Delete Ana Silva" }))
    await user.type(dialog.getByRole("textbox"), ana.email.toUpperCase())
    await user.click(dialog.getByRole("button", { name: "Delete permanently" }))
    expect(await dialog.findByText("Your role does not allow this")).toBeVisible()
    expect(dialog.getByRole("textbox")).toHaveValue(ana.email.toUpperCase())
  })

  it("is not available to a manager by URL either", async () => {
    openMember("/members/mem_ana/delete", { role: "manager" })
    const dialog = within(await screen.findByRole("dialog", { name: "Delete Ana Silva" }))
    expect(dialog.getByText("Deleting requires the Administrator role")).toBeVisible()
    expect(dialog.getByRole("textbox")).toBeDisabled()
  })
})

describe("deactivating a member", () => {
  it("sends only the status and shows it on the page", async () => {
    const { user, router, sent } = openMember("/members/mem_ana/deactivate?type=award", {
      answers: { [`PATCH ${path}`]: () => ({ ...ana, status: "inactive" }) },
    })
    const dialog = within(await screen.findByRole("dialog", { name: "Deactivate Ana Silva" }))
    await user.click(dialog.getByRole("button", { name: "Deactivate Ana Silva" }))
    await waitFor(() => expect(router.state.location.href).toBe("/members/mem_ana?type=award"))
    expect(sent("PATCH").map((one) => one.body)).toEqual([{ status: "inactive" }])
    expect(screen.getByText("Inactive")).toBeVisible()
  })

  it("activates a member that is pending", async () => {
    const { user, sent } = openMember("/members/mem_ana/deactivate", {
      answers: {
        [`GET ${path}`]: () => ({ ...ana, status: "Pending" }),
        [`PATCH ${path}`]: () => ana,
      },
    })
    await user.click(await screen.findByRole("button", { name: "Activate Ana Silva" }))
    await waitFor(() => expect(sent("PATCH").map((one) => one.body)).toEqual([{ status: "active" }]))
  })
})
