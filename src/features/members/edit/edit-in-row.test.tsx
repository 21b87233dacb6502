import { screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { describe, expect, it } from "vitest"
import { listAnswer, madeUpMember, membersServer } from "../../../../tests/support/members/made-up-list.ts"
import { refusal } from "../../../../tests/support/members/open-member.tsx"
import { renderApp, type Handlers } from "../../../../tests/support/test-app.tsx"
// Preloaded, so that no test waits for the code to load.
import "./edit-in-row.tsx"

const ana = madeUpMember("m1", { first_name: "Ana", last_name: "Silva" })
const saved = "2026-11-21T00:00:00Z"
const editor = () => screen.findByRole("dialog", { name: /^Edit .* of Ana Silva$/ })

/** The list with Ana, whose `PATCH` is answered by `patch`; returns what was sent. */
async function openList(
  patch: Handlers[string] = ({ body }) => ({ ...ana, ...Object(body), updated_at: saved }),
) {
  const sent: { body: unknown; ifMatch: string | null }[] = []
  const opened = renderApp("/members", {
    ...membersServer([ana, madeUpMember("m2")]),
    "PATCH /api/program/members/m1": (met) => {
      sent.push({ body: met.body, ifMatch: met.headers.get("If-Match") })
      return patch(met)
    },
    "GET /api/program/members/m1/balance": () => ({ member_id: "m1", balance: 100 }),
    "GET /api/program/members/m1/transactions": () => listAnswer([], 0),
    "GET /api/program/members/m1": () => ({ ...ana, company: "Coastal Group", updated_at: saved }),
  })
  await screen.findByRole("link", { name: "Ana Silva" })
  return { ...opened, sent, user: userEvent.setup({ delay: null }) }
}

/** By the key E, with another company typed. */
async function typeCompany(patch?: Handlers[string]) {
  const opened = await openList(patch)
  await opened.user.keyboard("je")
  const form = within(await editor())
  await opened.user.clear(form.getByLabelText(/^Company/))
  await opened.user.type(form.getByLabelText(/^Company/), "Tidal Air")
  return { ...opened, form }
}

describe("a member edited in the row", () => {
  it("sends the changed fields with the expected version, and offers undo", async () => {
    const { user, sent, form } = await typeCompany()
    expect(form.getAllByRole("textbox").map((field) => field.getAttribute("name"))).toEqual([
      "first_name",
      "last_name",
      "company",
    ])
    expect(form.getByText(/^Saves company\./)).toBeVisible()
    await user.keyboard("{Enter}")
    expect(await screen.findByText("Ana Silva: company")).toBeVisible()
    expect(sent).toEqual([{ body: { company: "Tidal Air" }, ifMatch: expect.stringContaining("2026-11-01") }])
    expect(await screen.findByRole("cell", { name: "Tidal Air" })).toBeVisible()
    await waitFor(() => expect(screen.getByRole("link", { name: "Ana Silva" })).toHaveFocus())

    await user.click(screen.getByRole("button", { name: "Undo" }))
    expect(await screen.findByText("Changes undone")).toBeVisible()
    expect(sent[1]).toEqual({
      body: { company: "Coastal Climate Co" },
      ifMatch: expect.stringContaining(saved),
    })
  })

  it("opens with the field of the clicked cell, and sends nothing on Escape", async () => {
    const { user, sent, router } = await openList()
    await user.click(screen.getAllByRole("cell", { name: "Coastal Climate Co" })[0] ?? document.body)
    const form = within(await editor())
    await user.type(form.getByRole("textbox"), "x{Escape}")
    expect(form.queryByRole("textbox")).not.toBeInTheDocument()
    expect(router.state.location.pathname).toBe("/members")
    expect(sent).toEqual([])
  })

  it("shows a refusal at its field and preserves the typed values", async () => {
    const { user, form } = await typeCompany(() =>
      refusal(422, "validation", "No.", { fields: [{ field: "company", message: "Too long." }] }),
    )
    await user.keyboard("{Enter}")
    expect(await form.findByText("Too long.")).toBeVisible()
    expect(form.getByLabelText(/^Company/)).toHaveValue("Tidal Air")
    expect(form.getByLabelText(/^Company/)).toHaveFocus()
  })

  it("shows an unknown outcome", async () => {
    const { user, form } = await typeCompany(() => refusal(504, "outcome_unknown", "No response."))
    await user.keyboard("{Enter}")
    expect(await form.findByText(/Outcome not known yet/)).toBeVisible()
    expect(form.getByLabelText(/^Company/)).toHaveValue("Tidal Air")
  })

  it("overwrites no change by another user: it shows both and leads to the decision", async () => {
    const theirs = { ...ana, company: "Coastal Group", updated_at: saved }
    const { user, form, router } = await typeCompany(() =>
      refusal(409, "conflict", "Someone changed company.", { current: theirs }),
    )
    await user.keyboard("{Enter}")
    expect(await form.findByText(/Company is “Coastal Group” now\./)).toBeVisible()
    expect(form.getByRole("button", { name: "Save" })).toBeDisabled()
    await user.click(form.getByRole("button", { name: "Compare and decide" }))
    await waitFor(() => expect(router.state.location.pathname).toBe("/members/m1/edit"))
    const drawer = within(await screen.findByRole("dialog", { name: "Edit Ana Silva" }))
    expect(await drawer.findByRole("radio", { name: /Theirs/ })).not.toBeChecked()
    expect(drawer.getByRole("radio", { name: /Yours/ })).not.toBeChecked()
    expect(drawer.getByText("Coastal Group")).toBeVisible()
    expect(drawer.getByText("Tidal Air")).toBeVisible()
  })

  it("continues after a change of other fields", async () => {
    const theirs = { ...ana, phone: "1", updated_at: saved }
    let first = true
    const { user, form, sent } = await typeCompany(({ body }) => {
      if (!first) return { ...theirs, ...Object(body) }
      first = false
      return refusal(409, "conflict", "Someone changed phone.", { current: theirs })
    })
    await user.keyboard("{Enter}")
    expect(await form.findByText("None of your fields is affected. Save again.")).toBeVisible()
    await user.click(form.getByRole("button", { name: "Save" }))
    expect(await screen.findByText("Changes saved")).toBeVisible()
    expect(sent[1]).toEqual({ body: { company: "Tidal Air" }, ifMatch: expect.stringContaining(saved) })
  })

  it("is not available to roles that cannot edit members", async () => {
    renderApp("/members", membersServer([ana], "viewer"))
    await screen.findByRole("link", { name: "Ana Silva" })
    await userEvent.keyboard("je")
    expect(document.querySelector("[data-edit]")).toBeNull()
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument()
  })
})
