import { cleanup, screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import { ana, openMember, refusal, success } from "../../../../tests/support/members/open-member.tsx"

const path = `/api/program/members/${ana.id}`

async function openEdit(answers = {}) {
  const opened = openMember("/members/mem_ana/edit", { answers })
  await screen.findByRole("dialog", { name: "Edit Ana Silva" })
  const drawer = within(screen.getByRole("dialog", { name: "Edit Ana Silva" }))
  await drawer.findByRole("button", { name: "Add a field" })
  return { ...opened, drawer }
}

describe("editing a member", () => {
  it("sends only the changed fields, with the version they are based on", async () => {
    const { user, drawer, router, sent } = await openEdit({
      [`PATCH ${path}`]: ({ body }: { body: object }) => ({
        ...ana,
        ...body,
        updated_at: "2026-11-21T00:00:00Z",
      }),
    })
    await user.clear(drawer.getByLabelText("Company"))
    await user.type(drawer.getByLabelText("Company"), "Tidal Air")
    await user.click(drawer.getByRole("button", { name: "Save company" }))

    expect(await screen.findByText("Changes saved")).toBeVisible()
    expect(screen.getByText("Ana Silva: company")).toBeVisible()
    await waitFor(() => expect(router.state.location.pathname).toBe("/members/mem_ana"))
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument()
    const [patch] = sent("PATCH")
    expect(patch?.body).toEqual({ company: "Tidal Air" })
    expect(patch?.headers.get("If-Match")).toContain(ana.updated_at)
    // The page behind shows it immediately.
    expect(screen.getByText("Tidal Air, Gold tier")).toBeInTheDocument()
  })

  it("sends metadata in full with original types, and names keys that were not saved", async () => {
    const { user, drawer, sent } = await openEdit({
      [`PATCH ${path}`]: () => success(ana, { metadata_missing: ["dealer"], metadata_kept: [] }),
    })
    await user.click(drawer.getByRole("button", { name: "Add a field" }))
    expect(drawer.getByLabelText("Field 3")).toHaveFocus()
    await user.type(drawer.getByLabelText("Field 3"), "dealer")
    await user.type(drawer.getByLabelText("Value of dealer"), "KA-1")
    await user.click(drawer.getByRole("button", { name: "Save custom fields" }))
    expect(await screen.findByText("dealer is not saved as sent")).toBeVisible()
    expect(sent("PATCH")[0]?.body).toEqual({
      metadata: { region: "Sunshine Coast", visits: 12, dealer: "KA-1" },
    })
  })

  it("sends nothing while a field is invalid, and focuses the first such field", async () => {
    const { user, drawer, sent } = await openEdit()
    await user.clear(drawer.getByLabelText("Last name"))
    await user.type(drawer.getByLabelText("Value of visits"), "x")
    await user.keyboard("{Control>}{Enter}{/Control}")
    expect(await drawer.findByText("Enter a last name.")).toBeVisible()
    expect(drawer.getByText(/A number such as 12/)).toBeVisible()
    expect(drawer.getByLabelText("Last name")).toHaveFocus()
    expect(sent("PATCH")).toEqual([])
  })

  it("preserves the typed values after a refusal, and shows the server's problem at its field", async () => {
    const { user, drawer } = await openEdit({
      [`PATCH ${path}`]: () =>
        refusal(422, "validation", "No.", { fields: [{ field: "phone", message: "Not a phone number." }] }),
    })
    await user.clear(drawer.getByLabelText("Phone"))
    await user.type(drawer.getByLabelText("Phone"), "+61 0")
    await user.click(drawer.getByRole("button", { name: "Save phone" }))
    expect(await drawer.findByText("Not a phone number.")).toBeVisible()
    expect(drawer.getByLabelText("Phone")).toHaveValue("+61 0")
    expect(drawer.getByLabelText("Phone")).toHaveFocus()
  })

  it("offers active and inactive, and shows pending without offering it", async () => {
    const { drawer } = await openEdit({ [`GET ${path}`]: () => ({ ...ana, status: "pending" }) })
    const options = within(drawer.getByLabelText("Status")).getAllByRole("option")
    expect(options.map((option) => option.textContent)).toEqual(["Pending", "Active", "Inactive"])
    expect(drawer.getByText(/Pending is set by the service/)).toBeVisible()
  })
})

describe("undoing an edit", () => {
  const edited = { ...ana, company: "Tidal Air", updated_at: "2026-11-21T00:00:00Z" }
  const edit = async (second: () => unknown) => {
    let answers = [() => edited, second]
    const opened = await openEdit({
      [`PATCH ${path}`]: () => {
        const [next, ...rest] = answers
        answers = rest
        return next?.()
      },
    })
    const { user, drawer } = opened
    await user.clear(drawer.getByLabelText("Company"))
    await user.type(drawer.getByLabelText("Company"), "Tidal Air")
    await user.click(drawer.getByRole("button", { name: "Save company" }))
    await user.dblClick(await screen.findByRole("button", { name: "Undo" }))
    return opened
  }

  it("restores the fields once, from the saved version", async () => {
    const { sent } = await edit(() => ({ ...ana, updated_at: "2026-11-22T00:00:00Z" }))
    expect(await screen.findByText("Changes undone")).toBeVisible()
    const [, undo, ...more] = sent("PATCH")
    expect(undo?.body).toEqual({ company: "Coastal Climate Co" })
    expect(undo?.headers.get("If-Match")).toContain(edited.updated_at)
    expect(more).toEqual([])
    expect(screen.getByText("Coastal Climate Co, Gold tier")).toBeInTheDocument()
  })

  it("changes nothing when another user changed such a field meanwhile, and shows that", async () => {
    const theirs = { ...edited, company: "Coastal Group", updated_at: "2026-11-21T09:00:00Z" }
    await edit(() => refusal(409, "conflict", "Someone changed company.", { current: theirs }))
    expect(await screen.findByText(/^Not undone\./)).toBeVisible()
    expect(screen.getByText("Coastal Group, Gold tier")).toBeInTheDocument()
  })
})

describe("two users editing one member", () => {
  const theirs = { ...ana, company: "Coastal Group", phone: "+61 999", updated_at: "2026-11-21T09:00:00Z" }

  it("lose nothing: both versions are shown, and the decision continues in the form", async () => {
    let first = true
    const { user, drawer, sent } = await openEdit({
      [`PATCH ${path}`]: ({ body }: { body: object }) => {
        if (!first) return { ...theirs, ...body }
        first = false
        return refusal(409, "conflict", "Somebody changed company.", { current: theirs })
      },
    })
    await user.clear(drawer.getByLabelText("Company"))
    await user.type(drawer.getByLabelText("Company"), "Tidal Air")
    await user.clear(drawer.getByLabelText("First name"))
    await user.type(drawer.getByLabelText("First name"), "Anna")
    await user.click(drawer.getByRole("button", { name: "Save first name and company" }))

    const company = within(await screen.findByRole("group", { name: "Company" }))
    expect(company.getByText("Coastal Group")).toBeVisible()
    expect(company.getByText("Tidal Air")).toBeVisible()
    expect(screen.getByRole("button", { name: "1 left to resolve" })).toBeDisabled()
    await user.click(company.getByRole("radio", { name: /Yours/ }))
    await user.click(screen.getByRole("button", { name: "Continue with these values" }))

    expect(await screen.findByLabelText("Company")).toHaveValue("Tidal Air")
    expect(screen.getByLabelText("First name")).toHaveValue("Anna")
    expect(screen.getByLabelText("Phone")).toHaveValue("+61 999")
    await user.click(screen.getByRole("button", { name: "Save first name and company" }))
    expect(await screen.findByText(/Changes saved/)).toBeVisible()
    expect(sent("PATCH").map((one) => one.body)).toEqual([
      { first_name: "Anna", company: "Tidal Air" },
      { first_name: "Anna", company: "Tidal Air" },
    ])
    expect(sent("PATCH")[1]?.headers.get("If-Match")).toContain(theirs.updated_at)
  })

  it("are asked about a draft whose field was changed since", async () => {
    const { user, drawer } = await openEdit()
    await user.clear(drawer.getByLabelText("Company"))
    await user.type(drawer.getByLabelText("Company"), "Tidal Air")
    cleanup()

    openMember("/members/mem_ana/edit", { answers: { [`GET ${path}`]: () => theirs } })
    const company = within(await screen.findByRole("group", { name: "Company" }))
    expect(company.getByText("Tidal Air")).toBeVisible()
    expect(company.getByText("Coastal Group")).toBeVisible()
  })
})

describe("an unsaved edit", () => {
  it("is restored after a reload, until it is discarded", async () => {
    const { user, drawer } = await openEdit()
    await user.type(drawer.getByLabelText("Company"), " Pty Ltd")
    cleanup()

    const again = await openEdit()
    expect(again.drawer.getByLabelText("Company")).toHaveValue("Coastal Climate Co Pty Ltd")
    expect(again.drawer.getByText("Restored your unsaved changes")).toBeVisible()
    await again.user.click(again.drawer.getByRole("button", { name: "Discard" }))
    expect(again.drawer.getByLabelText("Company")).toHaveValue("Coastal Climate Co")
    expect(again.drawer.queryByText("Restored your unsaved changes")).not.toBeInTheDocument()
  })

  it("asks before leaving, and continues to the destination once discarded", async () => {
    const { user, drawer, router } = await openEdit()
    await user.type(drawer.getByLabelText("Company"), "!")
    await user.click(drawer.getByRole("button", { name: "Close" }))
    const question = within(await screen.findByRole("dialog", { name: "Discard unsaved changes?" }))
    await user.click(question.getByRole("button", { name: "Keep editing" }))
    expect(drawer.getByLabelText("Company")).toHaveValue("Coastal Climate Co!")

    await user.click(drawer.getByRole("button", { name: "Close" }))
    await user.click(await screen.findByRole("button", { name: "Discard" }))
    await waitFor(() => expect(router.state.location.pathname).toBe("/members/mem_ana"))
    expect(sessionStorage).toHaveLength(0)
  })
})
