import { cleanup, screen, waitFor } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import { ana, openPage, startLaurel } from "../../../../tests/support/open-page.tsx"

const address = `/members/${ana.id}/notes`
const path = `/notes/member/${ana.id}`

/** The tab with a note that another manager saved. */
async function openNotes() {
  const laurel = await startLaurel()
  const save = (text: string, version: number) => laurel.ask(`PUT ${path}`, { text, version })
  await save("Prefers e-mail.", 0)
  const open = async () => {
    const opened = await openPage(address, { on: laurel })
    return {
      ...opened,
      field: await screen.findByLabelText("Note"),
      sent: () => opened.bodies(`PUT /api${path}`),
    }
  }
  return { ...(await open()), save, reload: () => (cleanup(), open()) }
}

describe("a member's note", () => {
  it("is saved with its base version, and shows who saved it", async () => {
    const { user, field, sent } = await openNotes()
    expect(screen.getByText(/Saved by Tom Whitlock/)).toBeVisible()
    expect(screen.getByText(/Notes are kept in Laurel; the program service does not see them/)).toBeVisible()
    await user.type(field, " Not Fridays.")
    await user.click(screen.getByRole("button", { name: "Save note" }))
    expect(await screen.findByText(/Saved by Priya Nair/)).toBeVisible()
    expect(sent()).toEqual([{ text: "Prefers e-mail. Not Fridays.", version: 1 }])
    expect(screen.getByLabelText("Note")).toHaveValue("Prefers e-mail. Not Fridays.")
    expect(sessionStorage).toHaveLength(0)
  })

  it("is not sent when it is too long", async () => {
    const { user, field, sent } = await openNotes()
    await user.click(field)
    await user.paste("x".repeat(4000))
    await user.click(screen.getByRole("button", { name: "Save note" }))
    expect(await screen.findByText("At most 4000 characters.")).toBeVisible()
    expect(sent()).toEqual([])
  })

  it("that another user saved meanwhile is shown next to the draft, which can be saved over it", async () => {
    const { user, field, save, sent } = await openNotes()
    await save("Prefers the phone.", 1)
    await user.clear(field)
    await user.type(field, "Mine")
    await user.click(screen.getByRole("button", { name: "Save note" }))
    expect(await screen.findByText("Prefers the phone.")).toBeVisible()
    expect(screen.getByLabelText("Note")).toHaveValue("Mine")
    expect(screen.getByRole("button", { name: "Save note" })).toBeDisabled()

    await user.click(screen.getByRole("button", { name: "Put both together" }))
    expect(screen.getByLabelText("Note")).toHaveValue("Prefers the phone.\n\nMine")
    await user.click(screen.getByRole("button", { name: "Save note" }))
    await waitFor(() => expect(sent().at(-1)).toEqual({ text: "Prefers the phone.\n\nMine", version: 2 }))
  })

  it("that was not saved survives a reload, and needs a decision when another was saved meanwhile", async () => {
    const { user, field, save, reload } = await openNotes()
    await user.type(field, " Draft")
    expect((await reload()).field).toHaveValue("Prefers e-mail. Draft")
    expect(screen.getByText("Restored your unsaved changes")).toBeVisible()
    await save("Prefers the phone.", 1)
    expect((await reload()).field).toHaveValue("Prefers e-mail. Draft")
    expect(screen.getByText("Someone saved this note while you were writing")).toBeVisible()
  })

  it("shows earlier versions with user and time, also after it was emptied", async () => {
    const { user, save, reload } = await openNotes()
    await save("", 1)
    await save("Prefers the phone.", 2)
    await save("", 3)
    await reload()
    await user.click(screen.getByRole("button", { name: "Show earlier versions" }))
    expect(await screen.findByText("Prefers the phone.")).toBeVisible()
    expect(screen.getByText("Empty")).toBeVisible()
    expect(screen.getAllByText(/Saved by Tom Whitlock/)).toHaveLength(4)
    await user.click(screen.getByRole("button", { name: "Hide earlier versions" }))
    expect(screen.queryByText("Prefers the phone.")).not.toBeInTheDocument()
  })

  it("is readable by a viewer and writable only by managers", async () => {
    const laurel = await startLaurel()
    await laurel.ask(`PUT ${path}`, { text: "Prefers e-mail.", version: 0 })
    await openPage(address, { as: "viewer", on: laurel })
    expect(await screen.findByText("Prefers e-mail.")).toBeVisible()
    expect(screen.queryByLabelText("Note")).not.toBeInTheDocument()
  })
})
