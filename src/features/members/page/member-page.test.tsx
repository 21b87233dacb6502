import { screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import { madeUpMember } from "../../../../tests/support/made-up-members.ts"
import { ana, openPage } from "../../../../tests/support/open-page.tsx"

const page = `/members/${ana.id}`
const path = `/v1/members/${ana.id}`

/** Requests of a page to the program service, but not those for names of other members. */
const readsOf = (requests: readonly string[]) =>
  requests
    .filter((line) => /^GET \/api\/((program|notes)\/|orders\?|transactions)/.test(line))
    .map((line) => line.replace(/\?.*/, ""))
const own = `GET /api/program/members/${ana.id}`

describe("member page", () => {
  it("shows member, balance and ledger for two upstream requests besides the member's own", async () => {
    const { requests } = await openPage(page)
    expect(await screen.findByRole("heading", { level: 1, name: "Ana Silva" })).toBeVisible()
    expect(await screen.findByText("58,090")).toBeVisible()
    expect(await screen.findByRole("table", { name: "Ledger" })).toBeVisible()
    expect(screen.getByText("Coastal Climate Co, Gold tier")).toBeVisible()
    expect(readsOf(requests).toSorted()).toEqual([own, `${own}/balance`, "GET /api/transactions"])
  })

  it("uses the member from a list read before: two upstream requests in all", async () => {
    const { requests, router } = await openPage("/members?search=ana.silva")
    await screen.findByRole("link", { name: "Ana Silva" })
    const before = requests.length
    await router.navigate({ href: page })
    expect(await screen.findByText("58,090")).toBeVisible()
    expect(await screen.findByRole("table", { name: "Ledger" })).toBeVisible()
    await waitFor(() =>
      expect(readsOf(requests.slice(before)).toSorted()).toEqual([`${own}/balance`, "GET /api/transactions"]),
    )
  })

  it("shows that the id does not exist, with a link back", async () => {
    await openPage("/members/mem_nobody")
    expect(await screen.findByText("No member has the id mem_nobody")).toBeVisible()
    expect(screen.getByRole("link", { name: "Back to members" })).toHaveAttribute("href", "/members")
  })

  it.each([
    ["balance", /Couldn’t load the balance/, () => screen.findByRole("table", { name: "Ledger" })],
    ["transactions", /Couldn’t load the ledger/, () => screen.findByText("58,090")],
  ])("shows all other parts when reading the %s fails", async (part, message, other) => {
    await openPage(page, {
      prepare: ({ faults }) =>
        faults.add({ kind: "before-commit-500", status: 400, match: { path: `${path}/${part}` } }),
    })
    expect(await screen.findByText(message)).toBeVisible()
    expect(await other()).toBeVisible()
  })

  it("shows the record's own balance when reading the balance fails", async () => {
    await openPage(page, {
      prepare: ({ faults }) =>
        faults.add({ kind: "before-commit-500", status: 400, match: { path: `${path}/balance` } }),
    })
    expect(await screen.findByText(/Couldn’t load the balance/)).toBeVisible()
    expect(screen.getByText("Available").nextSibling).toHaveTextContent("12,480")
    expect(screen.queryByText("Not loaded yet")).not.toBeInTheDocument()
    expect(screen.queryByText("Pending approval")).not.toBeInTheDocument()
  })

  it("shows the age of a record while a newer one is on its way", async () => {
    const headers = { Age: "250", "X-Laurel-Stale": "1", "X-Laurel-Stale-Reason": "budget_spent" }
    const data = madeUpMember(ana.id)
    await openPage(page, { answers: { [own]: () => Response.json({ success: true, data }, { headers }) } })
    expect(await screen.findByText(/^As of \d\d:\d\d, updating$/)).toBeVisible()
  })

  it("shows undocumented fields as sent", async () => {
    await openPage(`${page}/details`, {
      as: "admin",
      prepare: ({ faults }) =>
        faults.add({ kind: "extra-field", field: "shoe_size", value: "EU 39", match: { path } }),
    })
    expect(await screen.findByText("Other fields")).toBeVisible()
    expect(screen.getByText("EU 39")).toBeVisible()
  })
})

describe("member page by role", () => {
  it("shows fulfilment the name, the id and the orders, and requests nothing else", async () => {
    const { requests } = await openPage(page, { as: "fulfilment" })
    expect(await screen.findByRole("heading", { level: 1, name: "Ana Silva" })).toBeVisible()
    expect(await screen.findByRole("table", { name: "Orders" })).toBeVisible()
    expect(screen.getByText("Balance and ledger are not available to your role")).toBeVisible()
    const tabs = within(screen.getByRole("navigation", { name: "Member" }))
    expect(tabs.getAllByRole("link").map((tab) => tab.textContent)).toEqual(["Orders"])
    expect(screen.queryByText("E-mail")).not.toBeInTheDocument()
    expect(screen.queryByRole("button", { name: "More actions" })).not.toBeInTheDocument()
    expect(readsOf(requests)).toEqual([own, "GET /api/orders"])
  })

  it("shows a viewer no phone, no metadata and no actions", async () => {
    const { user, router } = await openPage(page, { as: "viewer" })
    expect(await screen.findByText(ana.email)).toBeVisible()
    expect(screen.queryByText("Phone")).not.toBeInTheDocument()
    expect(screen.queryByText("Custom fields")).not.toBeInTheDocument()
    const edit = screen.getByText("Edit").closest("a")
    expect(edit).toHaveAttribute("aria-disabled", "true")
    await user.click(screen.getByText("Edit"))
    expect(router.state.location.pathname).toBe(page)
  })

  it("shows a viewer at the form's URL which role it needs", async () => {
    await openPage(`${page}/edit`, { as: "viewer" })
    expect(await screen.findByText("Editing requires the Manager role")).toBeVisible()
  })

  it("returns the focus to the menu's button on Escape, the first time too", async () => {
    const { user } = await openPage(page)
    await user.click(await screen.findByRole("button", { name: "More actions" }))
    await waitFor(() => expect(screen.getByRole("menuitem", { name: "Copy member id" })).toHaveFocus())
    await user.keyboard("{Escape}")
    await waitFor(() => expect(screen.getByRole("button", { name: "More actions" })).toHaveFocus())
  })

  it("lets a manager deactivate and not delete", async () => {
    const { user, router } = await openPage(page)
    await user.click(await screen.findByRole("button", { name: "More actions" }))
    const menu = within(await screen.findByRole("menu"))
    await user.click(menu.getByRole("menuitem", { name: "Delete" }))
    expect(router.state.location.pathname).toBe(page)
    await user.click(menu.getByRole("menuitem", { name: "Deactivate" }))
    await waitFor(() => expect(router.state.location.pathname).toBe(`${page}/deactivate`))
  })
})
