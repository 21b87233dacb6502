import { screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { describe, expect, it } from "vitest"
import type { Role } from "../../../../contract/roles.ts"
import { renderApp } from "../../../../tests/support/test-app.tsx"
import { madeUpMembers, membersServer } from "../../../../tests/support/members/made-up-list.ts"

const members = madeUpMembers(3)

async function openList(role: Role = "manager") {
  const handlers = {
    ...membersServer(members, role),
    "GET /api/reports/points": () => {
      const none = { group: "", awarded: 0, deducted: 0, awards: 0, deductions: 0 }
      return { rows: [], total: none }
    },
  }
  const opened = renderApp("/members", handlers)
  await screen.findByRole("link", { name: "Member m1" })
  return { ...opened, user: userEvent.setup({ delay: null }) }
}

describe("points from the members list", () => {
  it("awards to one member from the row, in one click, without a request or leaving the list", async () => {
    const { user, requests } = await openList()
    const before = requests.filter((line) => line.includes("/program/")).length
    await user.click(screen.getByRole("link", { name: "Award points to Member m2" }))
    const drawer = within(await screen.findByRole("dialog", { name: "Award points" }))
    expect(await drawer.findByText("Member m2")).toBeVisible()
    expect(drawer.getByRole("button", { name: "Award points to Member m2" })).toBeVisible()
    expect(requests.filter((line) => line.includes("/program/"))).toHaveLength(before)
  })

  it("passes the selected members to the drawer, and Back closes it", async () => {
    const { user, router } = await openList()
    await user.click(screen.getByRole("checkbox", { name: "Select Member m1" }))
    await user.click(screen.getByRole("checkbox", { name: "Select Member m3" }))
    await user.click(screen.getByRole("button", { name: "Award" }))
    const drawer = within(await screen.findByRole("dialog", { name: "Award points" }))
    expect(await drawer.findByText("2 members")).toBeVisible()
    expect(router.state.location.search).toMatchObject({ act: "award", for: ["m1", "m3"] })
    router.history.back()
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument())
    expect(screen.getByRole("checkbox", { name: "Select Member m1" })).toBeChecked()
  })

  it("links to the actions with a file", async () => {
    const { user } = await openList()
    await user.click(screen.getByRole("button", { name: "Import" }))
    const choices = within(await screen.findByRole("dialog", { name: "Import" }))
    expect(await choices.findByRole("link", { name: "Award points" })).toHaveAttribute(
      "href",
      "/members/points-file?kind=award",
    )
    expect(choices.getByRole("link", { name: "Add members" })).toHaveAttribute("href", "/members/import")
    expect(choices.getByRole("link", { name: "Change members" })).toHaveAttribute("href", "/members/change")
  })

  it("offers no award in the rows to roles that cannot award", async () => {
    await openList("viewer")
    expect(screen.queryByRole("link", { name: /Award points to/ })).not.toBeInTheDocument()
  })
})
