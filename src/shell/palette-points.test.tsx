import { screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { afterEach, describe, expect, it } from "vitest"
import type { Role } from "../../contract/roles.ts"
import { find, openPage, option } from "../../tests/support/palette-page.ts"
import { emptyLists, renderApp, sessionOf } from "../../tests/support/test-app.tsx"
import { memberQuery } from "../api/members.ts"
import { useShellOverlay } from "./shell-state.ts"

async function openPalette(role: Role) {
  const app = renderApp("/nowhere", {
    "GET /api/session": () => sessionOf(role),
    "GET /api/status/budget": () => [],
    ...emptyLists,
    "GET /api/program/members": () => [],
  })
  const user = userEvent.setup()
  await screen.findByText("Page not found")
  await user.keyboard("{Control>}k{/Control}")
  await screen.findByRole("combobox")
  return { ...app, user }
}

it("awards points above the page that is there, once a member is chosen", async () => {
  const { user, router } = await openPalette("manager")
  await user.paste("award")
  await user.click(await screen.findByRole("option", { name: /^Award points/ }))
  expect(await screen.findByRole("dialog", { name: "Award points" })).toBeVisible()
  expect(screen.getByRole("combobox", { name: "Member" })).toBeVisible()
  expect(router.state.location.pathname).toBe("/nowhere")
})

it("offers no points to those who may not change them", async () => {
  await openPalette("viewer")
  await screen.findByRole("option", { name: /^Members/ })
  expect(screen.queryByRole("option", { name: /^(Award|Deduct) points/ })).not.toBeInTheDocument()
})

describe("a member's balance", () => {
  const [before, after] = [12_480, 12_730]
  const anaWith = (points_balance: number) => {
    return { id: "mem_1", first_name: "Ana", last_name: "Silva", points_balance }
  }
  /** Served 20 s old, because the minute has no request left. */
  const budgetSpent = () => {
    const headers = { Age: "20", "X-Laurel-Stale": "1" }
    return Response.json({ success: true, data: [anaWith(before)] }, { headers })
  }

  /** Searches for a member whose record this browser holds since `age` seconds; the service says `after` by now. */
  async function search(held: { points: number; age: number }, found: () => unknown) {
    const app = await openPage("manager", {
      "GET /api/program/members": found,
      "GET /api/program/members/mem_1": () => anaWith(after),
    })
    app.go.mockRestore()
    const { queryKey } = memberQuery("mem_1")
    const at = Date.now() - held.age * 1000
    const response = { data: anaWith(held.points), age: held.age, at, stale: false }
    app.queryClient.setQueryData(queryKey, response, { updatedAt: at })
    await find(app, "ana")
    await waitFor(() => expect(app.queryClient.isFetching()).toBe(0))
    await waitFor(() => expect(app.requests).toContain("GET /api/program/members?search=ana&per_page=8"))
    await waitFor(() => expect(app.queryClient.isFetching()).toBe(0))
    return app
  }

  async function drawerSays(app: Awaited<ReturnType<typeof search>>, balance: string) {
    await app.user.keyboard("{Escape}")
    await app.router.navigate({ to: ".", search: { act: "award", for: "mem_1" } })
    const drawer = within(await screen.findByRole("dialog", { name: "Award points" }))
    expect(await drawer.findByText(balance, { selector: ".l-strong" })).toBeVisible()
  }

  afterEach(() => useShellOverlay.setState({ overlay: null }))

  it("as the search found it is what the award drawer says, without another request", async () => {
    const app = await search({ points: before, age: 5 }, () => [anaWith(after)])
    expect(await option(/^Ana Silva/)).toHaveTextContent("12,730")
    await drawerSays(app, "12,730")
    expect(app.requests).not.toContain("GET /api/program/members/mem_1")
  })

  it("is that of her record where the search is older", async () => {
    const app = await search({ points: after, age: 0 }, budgetSpent)
    expect(await option(/^Ana Silva/)).toHaveTextContent("12,730")
    await drawerSays(app, "12,730")
  })

  it("is read for the award drawer where only an old search told it", async () => {
    const app = await search({ points: before, age: 40 }, budgetSpent)
    await drawerSays(app, "12,730")
    expect(app.requests).toContain("GET /api/program/members/mem_1")
  })
})
