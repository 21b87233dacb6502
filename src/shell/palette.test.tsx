import { screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { describe, expect, it, vi } from "vitest"
import type { Role } from "../../contract/roles.ts"
import { membersQuery } from "../api/members.ts"
import { emptyLists, refusal, renderApp, sessionOf, type Handlers } from "../../tests/support/test-app.tsx"

const ana = { id: "mem_1", first_name: "Ana", last_name: "Silva", company: "Coastal", points_balance: 12_480 }
const diana = { id: "mem_2", first_name: "Diana", last_name: "Sorensen" }

const never = () => new Promise(() => {})

async function openPalette(role: Role, search: Handlers[string] = () => [ana, diana]) {
  const app = renderApp("/nowhere", {
    "GET /api/session": () => sessionOf(role),
    "GET /api/status/budget": () => [],
    ...emptyLists,
    "GET /api/program/members": search,
  })
  await screen.findByText("Page not found")
  const go = vi.spyOn(app.router, "navigate").mockResolvedValue(undefined)
  const user = userEvent.setup()
  await user.keyboard("{Control>}k{/Control}")
  const input = await screen.findByRole("combobox")
  const searches = () => app.requests.filter((line) => line.includes("search="))
  return { ...app, user, input, go, searches }
}

const options = () => screen.queryAllByRole("option").map((option) => option.textContent ?? "")

describe("the palette", () => {
  it("finds a member with one request and opens it with Enter", async () => {
    const { user, searches, go } = await openPalette("manager")
    // Pasted, so that a slow machine causes no pause between two letters.
    await user.paste("ana s")
    const first = await screen.findByRole("option", { name: /Ana Silva/ })
    expect(first).toHaveAttribute("aria-selected", "true")
    await user.keyboard("{Enter}")
    expect(go).toHaveBeenCalledWith({ href: "/members/mem_1" })
    expect(searches()).toEqual(["GET /api/program/members?search=ana+s&per_page=8"])
  })

  it("opens the first hit when Enter comes before the answer", async () => {
    const { user, go } = await openPalette("manager")
    await user.keyboard("ana{Enter}")
    await waitFor(() => expect(go).toHaveBeenCalledWith({ href: "/members/mem_1" }))
  })

  it("shows members it knows at once, before any request", async () => {
    const { user, queryClient, searches } = await openPalette("manager", never)
    queryClient.setQueryData(membersQuery({ page: 1 }).queryKey, {
      data: [ana, diana],
      age: 0,
      at: 0,
      stale: false,
    })
    await user.paste("sor")
    expect(screen.getByRole("option", { name: /Diana Sorensen/ })).toBeVisible()
    expect(searches()).toEqual([])
  })

  it("asks nothing for a single letter", async () => {
    const { user, searches } = await openPalette("manager")
    await user.keyboard("x")
    expect(screen.getByText("Type at least two letters to search.")).toBeVisible()
    expect(searches()).toEqual([])
  })

  it("moves through results with the arrows, around the end", async () => {
    const { user, input } = await openPalette("manager")
    const all = options().length
    await user.keyboard("{ArrowUp}")
    const last = screen.getAllByRole("option")[all - 1]
    expect(input).toHaveAttribute("aria-activedescendant", last?.id)
    await user.keyboard("{ArrowDown}")
    expect(screen.getAllByRole("option")[0]).toHaveAttribute("aria-selected", "true")
  })

  it("says why members were not searched, and still offers pages", async () => {
    const { user } = await openPalette("manager", () => refusal(400, "bad_request"))
    await user.keyboard("audit")
    expect(await screen.findByText(/Couldn’t search members\./)).toBeVisible()
    expect(screen.getByRole("option", { name: /Audit log/ })).toBeVisible()
  })

  it("says what the search does not look at when nobody matches", async () => {
    const { user } = await openPalette("manager", () => [])
    await user.keyboard("climte")
    expect(await screen.findByText(/names and e-mails, not companies/)).toBeVisible()
  })

  it("offers pages only, and a member by id, to those who may not search", async () => {
    const { user, searches, go } = await openPalette("fulfilment")
    await user.keyboard("ana")
    expect(options()).toEqual([])
    await user.clear(screen.getByRole("combobox"))
    await user.keyboard("mem_42/x")
    await user.keyboard("{Enter}")
    await waitFor(() => expect(go).toHaveBeenCalledWith({ href: "/members/mem_42%2Fx" }))
    expect(searches()).toEqual([])
  })

  it.each<[Role, string[], string[]]>([
    ["admin", ["Members", "Audit log", "Settings", "New member", "Users and roles"], []],
    ["manager", ["Members", "Audit log", "New member"], ["Users and roles"]],
    ["viewer", ["Members", "Settings", "Service status"], ["Audit log", "New member", "Users and roles"]],
  ])("shows a %s what they may open", async (role, shown, hidden) => {
    await openPalette(role)
    const list = within(screen.getByRole("listbox"))
    for (const name of shown) expect(list.getByText(name)).toBeVisible()
    for (const name of hidden) expect(list.queryByText(name)).not.toBeInTheDocument()
  })

  it("closes with Escape", async () => {
    const { user } = await openPalette("manager")
    await user.keyboard("{Escape}")
    await waitFor(() => expect(screen.queryByRole("combobox")).not.toBeInTheDocument())
  })
})
