import { cleanup, screen, waitFor } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import { ana, openMember, refusal, type Answers } from "../../../../tests/support/members/open-member.tsx"

const path = `/api/notes/member/${ana.id}`
const noted = (text: string, version: number) => ({
  kind: "member",
  id: ana.id,
  text,
  version,
  saved_at: "2026-11-21T00:00:00Z",
  saved_by: "Tom Whitlock",
})

async function openNotes(answers: Answers = {}) {
  const opened = openMember("/members/mem_ana/notes", { answers })
  return { ...opened, field: await screen.findByLabelText("Note") }
}

describe("a member's note", () => {
  it("is saved with its base version, and shows who saved it", async () => {
    const { user, field, sent } = await openNotes({
      [`PUT ${path}`]: () => noted("Prefers e-mail. Not Fridays.", 4),
    })
    expect(screen.getByText(/Saved by Priya Nair/)).toBeVisible()
    expect(screen.getByText(/Notes are kept in Laurel; the program service does not see them/)).toBeVisible()
    await user.type(field, " Not Fridays.")
    await user.click(screen.getByRole("button", { name: "Save note" }))
    expect(await screen.findByText(/Saved by Tom Whitlock/)).toBeVisible()
    expect(sent("PUT").map((one) => one.body)).toEqual([{ text: "Prefers e-mail. Not Fridays.", version: 3 }])
    expect(screen.getByLabelText("Note")).toHaveValue("Prefers e-mail. Not Fridays.")
    expect(sessionStorage).toHaveLength(0)
  })

  it("is not sent when it is too long", async () => {
    const { user, field, sent } = await openNotes()
    await user.click(field)
    await user.paste("x".repeat(4000))
    await user.click(screen.getByRole("button", { name: "Save note" }))
    expect(await screen.findByText("At most 4000 characters.")).toBeVisible()
    expect(sent("PUT")).toEqual([])
  })

  it("that another user saved meanwhile is shown next to the draft, which can be saved over it", async () => {
    const { user, field, sent } = await openNotes({
      [`PUT ${path}`]: ({ body }) =>
        sent("PUT").length === 1
          ? refusal(409, "conflict", "No.", { current: noted("Prefers the phone.", 4) })
          : { ...noted("", 5), ...(body as object), version: 5 },
    })
    await user.clear(field)
    await user.type(field, "Mine")
    await user.click(screen.getByRole("button", { name: "Save note" }))
    expect(await screen.findByText("Prefers the phone.")).toBeVisible()
    expect(screen.getByLabelText("Note")).toHaveValue("Mine")
    expect(screen.getByRole("button", { name: "Save note" })).toBeDisabled()

    await user.click(screen.getByRole("button", { name: "Put both together" }))
    expect(screen.getByLabelText("Note")).toHaveValue("Prefers the phone.\n\nMine")
    await user.click(screen.getByRole("button", { name: "Save note" }))
    await waitFor(() =>
      expect(sent("PUT").at(-1)?.body).toEqual({ text: "Prefers the phone.\n\nMine", version: 4 }),
    )
  })

  it("that was not saved survives a reload, and needs a decision when another was saved meanwhile", async () => {
    const { user, field } = await openNotes()
    await user.type(field, " Draft")
    cleanup()
    const again = await openNotes()
    expect(again.field).toHaveValue("Prefers e-mail. Draft")
    expect(screen.getByText("Restored your unsaved changes")).toBeVisible()
    cleanup()
    const later = await openNotes({ [`GET ${path}`]: () => noted("Prefers the phone.", 4) })
    expect(screen.getByText("Someone saved this note while you were writing")).toBeVisible()
    expect(later.field).toHaveValue("Prefers e-mail. Draft")
  })

  it("shows earlier versions with user and time, also after it was emptied", async () => {
    const { user } = await openNotes({
      [`GET ${path}`]: () => noted("", 3),
      [`GET ${path}/versions`]: () => [noted("Prefers the phone.", 2), noted("", 1)],
    })
    await user.click(screen.getByRole("button", { name: "Show earlier versions" }))
    expect(await screen.findByText("Prefers the phone.")).toBeVisible()
    expect(screen.getByText("Empty")).toBeVisible()
    expect(screen.getAllByText(/Saved by Tom Whitlock/)).toHaveLength(3)
    await user.click(screen.getByRole("button", { name: "Hide earlier versions" }))
    expect(screen.queryByText("Prefers the phone.")).not.toBeInTheDocument()
  })

  it("is readable by a viewer and writable only by managers", async () => {
    openMember("/members/mem_ana/notes", { role: "viewer" })
    expect(await screen.findByText("Prefers e-mail.")).toBeVisible()
    expect(screen.queryByLabelText("Note")).not.toBeInTheDocument()
  })
})
