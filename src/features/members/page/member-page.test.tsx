import { screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import { memberQuery } from "../../../api/members.ts"
import { ana, openMember, refusal } from "../../../../tests/support/members/open-member.tsx"

const path = `/api/program/members/${ana.id}`

function nobody() {
  return refusal(404, "not_found", "No member has this id.")
}
function broken() {
  return refusal(500, "internal", "No.")
}

describe("member page", () => {
  it("shows member, balance and ledger for two upstream requests besides the member's own", async () => {
    const { met } = openMember("/members/mem_ana")
    expect(await screen.findByRole("heading", { level: 1, name: "Ana Silva" })).toBeVisible()
    expect(await screen.findByText("48,200")).toBeVisible()
    expect(await screen.findByRole("button", { name: "Row 0" })).toBeVisible()
    expect(screen.getByText("Coastal Climate Co, Gold tier")).toBeVisible()
    expect(met.map((one) => one.path).toSorted()).toEqual([path, `${path}/balance`, `${path}/transactions`])
  })

  it("uses the member from a list read a minute ago: two upstream requests in all", async () => {
    const at = Date.now() - 60_000
    const { met } = openMember("/members/mem_ana", {
      seed: (queryClient) =>
        queryClient.setQueryData(
          memberQuery(ana.id).queryKey,
          { data: ana, age: 0, at, stale: false },
          { updatedAt: at },
        ),
    })
    expect(await screen.findByRole("button", { name: "Row 0" })).toBeVisible()
    // The record's balance is shown meanwhile.
    expect(screen.getAllByText("12,480")[0]).toBeVisible()
    await waitFor(() =>
      expect(met.map((one) => one.path).toSorted()).toEqual([`${path}/balance`, `${path}/transactions`]),
    )
  })

  it("shows that the id does not exist, with a link back", async () => {
    openMember("/members/mem_nobody", {
      answers: {
        "GET /api/program/members/mem_nobody": nobody,
        "GET /api/program/members/mem_nobody/balance": nobody,
        "GET /api/program/members/mem_nobody/transactions": nobody,
      },
    })
    expect(await screen.findByText("No member has the id mem_nobody")).toBeVisible()
    expect(screen.getByRole("link", { name: "Back to members" })).toHaveAttribute("href", "/members")
  })

  it("shows all other parts when the balance or the ledger fails", async () => {
    openMember("/members/mem_ana", { answers: { [`GET ${path}/balance`]: broken } })
    expect(await screen.findByText(/Couldn’t load the balance/)).toBeVisible()
    expect(await screen.findByRole("button", { name: "Row 0" })).toBeVisible()
  })

  it("shows the balance when the ledger fails", async () => {
    openMember("/members/mem_ana", {
      answers: { [`GET ${path}/transactions`]: broken },
    })
    expect(await screen.findByText(/Couldn’t load the ledger/)).toBeVisible()
    expect(await screen.findByText("48,200")).toBeVisible()
  })

  it("shows undocumented fields as sent", async () => {
    openMember("/members/mem_ana/details", {
      answers: { [`GET ${path}`]: () => ({ ...ana, status: "Hibernating", shoe_size: { eu: 39 } }) },
    })
    expect(await screen.findByText("Other fields")).toBeVisible()
    expect(screen.getByText('{"eu":39}')).toBeVisible()
    expect(screen.getAllByText("Hibernating")).not.toHaveLength(0)
  })
})

describe("member page by role", () => {
  it("shows fulfilment the name, the id and the orders, and requests nothing else", async () => {
    const { met } = openMember("/members/mem_ana", {
      role: "fulfilment",
      answers: {
        [`GET ${path}`]: () => ({ id: ana.id, first_name: "Ana", last_name: "Silva" }),
        "GET /api/program/orders": () => [],
      },
    })
    expect(await screen.findByRole("heading", { level: 1, name: "Ana Silva" })).toBeVisible()
    expect(await screen.findByText("This member has no orders yet")).toBeVisible()
    expect(screen.getByText("Balance and ledger are not available to your role")).toBeVisible()
    const tabs = within(screen.getByRole("navigation", { name: "Member" }))
    expect(tabs.getAllByRole("link").map((tab) => tab.textContent)).toEqual(["Orders"])
    expect(screen.queryByText("E-mail")).not.toBeInTheDocument()
    expect(screen.queryByRole("button", { name: "More actions" })).not.toBeInTheDocument()
    expect(met.map((one) => one.path)).toEqual([path, "/api/program/orders"])
  })

  it("shows a viewer no phone, no metadata and no actions", async () => {
    const { phone: _phone, metadata: _metadata, ...seen } = ana
    const { user, router } = openMember("/members/mem_ana", {
      role: "viewer",
      answers: { [`GET ${path}`]: () => seen },
    })
    expect(await screen.findByText("ana.silva@coastal.test")).toBeVisible()
    expect(screen.queryByText("Phone")).not.toBeInTheDocument()
    expect(screen.queryByText("Custom fields")).not.toBeInTheDocument()
    const edit = screen.getByText("Edit").closest("a")
    expect(edit).toHaveAttribute("aria-disabled", "true")
    await user.click(screen.getByText("Edit"))
    expect(router.state.location.pathname).toBe("/members/mem_ana")
  })

  it("shows a viewer at the form's URL which role it needs, and requests nothing for it", async () => {
    const { met } = openMember("/members/mem_ana/edit", { role: "viewer" })
    expect(await screen.findByText("Editing requires the Manager role")).toBeVisible()
    expect(met.filter((one) => one.headers.get("Cache-Control") === "no-cache")).toEqual([])
  })

  it("returns the focus to the menu's button on Escape, the first time too", async () => {
    const { user } = openMember("/members/mem_ana", { role: "manager" })
    await user.click(await screen.findByRole("button", { name: "More actions" }))
    await waitFor(() => expect(screen.getByRole("menuitem", { name: "Copy member id" })).toHaveFocus())
    await user.keyboard("{Escape}")
    await waitFor(() => expect(screen.getByRole("button", { name: "More actions" })).toHaveFocus())
  })

  it("lets a manager deactivate and not delete", async () => {
    const { user, router } = openMember("/members/mem_ana", { role: "manager" })
    await user.click(await screen.findByRole("button", { name: "More actions" }))
    const menu = within(await screen.findByRole("menu"))
    await user.click(menu.getByRole("menuitem", { name: "Delete" }))
    expect(router.state.location.pathname).toBe("/members/mem_ana")
    await user.click(menu.getByRole("menuitem", { name: "Deactivate" }))
    await waitFor(() => expect(router.state.location.pathname).toBe("/members/mem_ana/deactivate"))
  })
})
