import { cleanup, screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import { ana, type Laurel, openPage, setAna, startLaurel } from "../../../../tests/support/open-page.tsx"
import { refusal } from "../../../../tests/support/test-app.tsx"

const page = `/members/${ana.id}`
const patch = `PATCH /api/program${page}`

async function openEdit(opening: Parameters<typeof openPage>[1] = {}) {
  const opened = await openPage(`${page}/edit`, { as: "admin", ...opening })
  const drawer = within(await screen.findByRole("dialog", { name: "Edit Ana Silva" }))
  await drawer.findByRole("button", { name: "Add a field" })
  const fill = async (label: string, value: string) => {
    await opened.user.clear(drawer.getByLabelText(label))
    await opened.user.type(drawer.getByLabelText(label), value)
  }
  return { ...opened, drawer, fill, sent: () => opened.bodies(patch) }
}

/** Another manager's edit. */
const editElsewhere = (laurel: Pick<Laurel, "ask">, body: object) => laurel.ask(`PATCH /program${page}`, body)

describe("editing a member", () => {
  it("sends only the changed fields, with the version they are based on", async () => {
    const { user, drawer, fill, router, writes } = await openEdit()
    await fill("Company", "Tidal Air")
    await user.click(drawer.getByRole("button", { name: "Save company" }))

    expect(await screen.findByText("Ana Silva: company")).toBeVisible()
    await waitFor(() => expect(screen.getByText("Changes saved")).toBeVisible())
    await waitFor(() => expect(router.state.location.pathname).toBe(page))
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument()
    const sent = writes.find(({ line }) => line === patch)
    expect(sent?.body).toEqual({ company: "Tidal Air" })
    expect(sent?.headers.get("If-Match")).toMatch(/^"?\d{4}-/)
    // The page behind shows it immediately.
    expect(screen.getByText("Tidal Air, Gold tier")).toBeInTheDocument()
  })

  it("sends metadata in full with original types, and names keys that were not saved", async () => {
    const metadata = { region: "Sunshine Coast", visits: 12 }
    const { user, drawer, sent } = await openEdit({
      prepare: setAna({ metadata }),
      answers: {
        [patch]: () =>
          Response.json({
            success: true,
            data: { ...ana, first_name: "Ana", last_name: "Silva", metadata },
            meta: { metadata_missing: ["dealer"], metadata_kept: [] },
          }),
      },
    })
    await user.click(drawer.getByRole("button", { name: "Add a field" }))
    expect(drawer.getByLabelText("Field 3")).toHaveFocus()
    await user.type(drawer.getByLabelText("Field 3"), "dealer")
    await user.type(drawer.getByLabelText("Value of dealer"), "KA-1")
    await user.click(drawer.getByRole("button", { name: "Save custom fields" }))
    expect(await screen.findByText("dealer is not saved as sent")).toBeVisible()
    expect(sent()).toEqual([{ metadata: { ...metadata, dealer: "KA-1" } }])
  })

  it("sends nothing while a field is invalid, and focuses the first such field", async () => {
    const { user, drawer, sent } = await openEdit({ prepare: setAna({ metadata: { visits: 12 } }) })
    await user.clear(drawer.getByLabelText("Last name"))
    await user.type(drawer.getByLabelText("Value of visits"), "x")
    await user.keyboard("{Control>}{Enter}{/Control}")
    expect(await drawer.findByText("Enter a last name.")).toBeVisible()
    expect(drawer.getByText(/A number such as 12/)).toBeVisible()
    expect(drawer.getByLabelText("Last name")).toHaveFocus()
    expect(sent()).toEqual([])
  })

  it("preserves the typed values after a refusal, and shows the server's problem at its field", async () => {
    const fields = [{ field: "phone", message: "Not a phone number." }]
    const { user, drawer, fill } = await openEdit({
      answers: { [patch]: () => refusal(422, "validation", {}, { fields }) },
    })
    await fill("Phone", "+61 0")
    await user.click(drawer.getByRole("button", { name: "Save phone" }))
    expect(await drawer.findByText("Not a phone number.")).toBeVisible()
    expect(drawer.getByLabelText("Phone")).toHaveValue("+61 0")
    expect(drawer.getByLabelText("Phone")).toHaveFocus()
  })

  it("offers active and inactive, and shows pending without offering it", async () => {
    const { drawer } = await openEdit({ prepare: setAna({ status: "pending" }) })
    const options = within(drawer.getByLabelText("Status")).getAllByRole("option")
    expect(options.map((option) => option.textContent)).toEqual(["Pending", "Active", "Inactive"])
    expect(drawer.getByText(/Pending is set by the service/)).toBeVisible()
  })
})

describe("undoing an edit", () => {
  const edit = async () => {
    const opened = await openEdit()
    await opened.fill("Company", "Tidal Air")
    await opened.user.click(opened.drawer.getByRole("button", { name: "Save company" }))
    return { ...opened, undo: await screen.findByRole("button", { name: "Undo" }) }
  }

  it("restores the fields once, from the saved version", async () => {
    const { user, undo, sent } = await edit()
    await user.dblClick(undo)
    expect(await screen.findByText("Changes undone")).toBeVisible()
    expect(sent()).toEqual([{ company: "Tidal Air" }, { company: ana.company }])
    expect(screen.getByText(`${ana.company}, Gold tier`)).toBeInTheDocument()
  })

  it("changes nothing when another user changed such a field meanwhile, and shows that", async () => {
    const { user, undo, ...laurel } = await edit()
    await editElsewhere(laurel, { company: "Coastal Group" })
    await user.click(undo)
    expect(await screen.findByText(/^Not undone\./)).toBeVisible()
    expect(screen.getByText("Coastal Group, Gold tier")).toBeInTheDocument()
  })
})

describe("two users editing one member", () => {
  const theirs = { company: "Coastal Group", phone: "+61 999" }

  it("lose nothing: both versions are shown, and the decision continues in the form", async () => {
    const { user, drawer, fill, sent, ...laurel } = await openEdit()
    await editElsewhere(laurel, theirs)
    await fill("Company", "Tidal Air")
    await fill("First name", "Anna")
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
    const mine = { first_name: "Anna", company: "Tidal Air" }
    expect(sent()).toEqual([mine, mine])
  })

  it("are asked about a draft whose field was changed since", async () => {
    const laurel = await startLaurel()
    const { fill } = await openEdit({ on: laurel })
    await fill("Company", "Tidal Air")
    cleanup()
    await editElsewhere(laurel, theirs)

    await openPage(`${page}/edit`, { as: "admin", on: laurel })
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
    await waitFor(() => expect(router.state.location.pathname).toBe(page))
    expect(sessionStorage).toHaveLength(0)
  })
})
