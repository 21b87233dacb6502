import { fireEvent, screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { expect, test } from "vitest"
import { renderApp, sessionOf } from "../../../../tests/support/test-app.tsx"
import {
  listReads,
  madeUpMember,
  madeUpMembers,
  membersServer,
} from "../../../../tests/support/members/made-up-list.ts"

const pages = (count: number) => membersServer(madeUpMembers(count))
const row = (name: string) => screen.findByRole("link", { name })

test("invalid search params show the first page", async () => {
  const { requests } = renderApp("/members?page=banana&per_page=7&status=x&all=1", pages(3))
  expect(await row("Member m1")).toHaveAttribute("href", "/members/m1")
  expect(listReads(requests)).toEqual(["GET /api/members?page=1&per_page=25"])
})

test("page and page size are in the URL, defaults are not", async () => {
  const user = userEvent.setup()
  const { router } = renderApp("/members", pages(60))
  await row("Member m1")
  expect(screen.getByText("Page 1 of 3")).toBeVisible()

  await user.click(screen.getByRole("button", { name: "Next page" }))
  expect(await row("Member m26")).toBeVisible()
  expect(router.state.location.searchStr).toBe("?page=2")

  await user.selectOptions(screen.getByLabelText("Rows"), "50")
  expect(await row("Member m50")).toBeVisible()
  expect(router.state.location.searchStr).toBe("?per_page=50")

  await user.selectOptions(screen.getByLabelText("Rows"), "25")
  await waitFor(() => expect(router.state.location.searchStr).toBe(""))
})

const view = {
  id: "v1",
  list: "members" as const,
  name: "Silver, active",
  shared: false,
  search: { status: "active" },
  columns: { shown: {}, order: [], widths: {} },
  by: { id: "user-manager", name: "Priya Nair" },
}
const withViews = (all: readonly (typeof view)[], defaults: { members?: string } = {}) => ({
  ...pages(3),
  "GET /api/session": () => ({ ...sessionOf("manager"), views: { all, defaults } }),
})

test("navigation opens the default view; its other tabs show all members", async () => {
  const user = userEvent.setup()
  const { router } = renderApp("/members?status=pending", withViews([view], { members: view.id }))
  await user.click(await screen.findByRole("link", { name: /^All/ }))
  await waitFor(() => expect(router.state.location.searchStr).toBe(""))
  expect(await row("Member m1")).toBeVisible()
  expect(screen.queryByRole("button", { name: /^View: / })).not.toBeInTheDocument()

  router.history.push("/nowhere")
  await screen.findByRole("heading", { name: "Page not found" })
  await user.click(screen.getByRole("link", { name: "Members" }))
  expect(await screen.findByRole("button", { name: `View: ${view.name}` })).toBeVisible()
  expect(router.state.location.search).toMatchObject({ status: "active", saved: view.id })
})

test("a link to a deleted view shows a dismissible note and what is shown", async () => {
  const user = userEvent.setup()
  const { router } = renderApp("/members?saved=v2", withViews([view]))
  await row("Member m1")
  expect(await screen.findByText("This view was deleted, or isn’t shared with you")).toBeVisible()
  expect(screen.getByText("All members are shown.")).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Close" }))
  await waitFor(() => expect(screen.queryByText(/This view was deleted/)).not.toBeInTheDocument())
  expect(router.state.location.searchStr).toBe("?saved=none")
})

test("a link to a deleted view still applies its filters", async () => {
  renderApp("/members?tier=Gold&saved=v2", withViews([view]))
  expect(await screen.findByText("The filters in its link are in use.")).toBeVisible()
})

test("undoing the deletion of the open view opens it again, with its unsaved changes", async () => {
  const user = userEvent.setup()
  const { router } = renderApp("/members?search=m&status=active&saved=v1", {
    ...withViews([view]),
    "DELETE /api/views/v1": () => ({ all: [], defaults: {} }),
    "PUT /api/views/v1": () => ({ all: [view], defaults: {} }),
  })
  await row("Member m1")
  await user.click(await screen.findByRole("button", { name: "View: Silver, active, changed" }))
  await user.click(await screen.findByRole("button", { name: "Delete" }))
  await waitFor(() => expect(router.state.location.searchStr).toBe(""))
  await user.click(await screen.findByRole("button", { name: "Undo" }))
  expect(await screen.findByRole("button", { name: "View: Silver, active, changed" })).toBeVisible()
  expect(router.state.location.search).toMatchObject({ search: "m", status: "active", saved: "v1" })
})

test("another status starts at the first page and preserves other search params", async () => {
  const user = userEvent.setup()
  const { router, requests } = renderApp("/members?page=2&per_page=10&campaign=spring", pages(30))
  await row("Member m11")

  await user.click(screen.getByRole("link", { name: /^Active/ }))
  expect(await row("Member m1")).toBeVisible()
  expect(router.state.location.search).toMatchObject({
    status: "active",
    per_page: 10,
    campaign: "spring",
  })
  expect(router.state.location.search).not.toHaveProperty("page")
  expect(listReads(requests).at(-1)).toBe("GET /api/members?status=active&page=1&per_page=10")

  await user.click(screen.getByRole("link", { name: /^All/ }))
  await waitFor(() => expect(router.state.location.search).not.toHaveProperty("status"))
})

test("surrounding and repeated spaces are removed from a search", async () => {
  const user = userEvent.setup()
  const { router, requests } = renderApp("/members", pages(30))
  await row("Member m1")
  await user.type(
    screen.getByRole("textbox", { name: "Search: Name, company, e-mail or phone" }),
    " member   m25 ",
  )
  await waitFor(() => expect(router.state.location.search).toMatchObject({ search: "member m25" }))
  await waitFor(() => expect(listReads(requests).at(-1)).toContain("search=member+m25"))
})

test("previous rows stay visible during a filter change, and cannot be selected", async () => {
  const user = userEvent.setup()
  const server = pages(60)
  const answer = Promise.withResolvers<void>()
  renderApp("/members", {
    ...server,
    "GET /api/members": async (request) => {
      if (request.query.has("status")) await answer.promise
      return server["GET /api/members"]?.(request)
    },
  })
  await row("Member m1")
  await user.click(screen.getByRole("link", { name: /^Active/ }))
  await waitFor(() =>
    expect(screen.getByRole("table", { name: "Members" })).toHaveAttribute("aria-busy", "true"),
  )
  expect(screen.getByRole("link", { name: "Member m1" })).toBeVisible()
  await user.click(screen.getByRole("checkbox", { name: "Select Member m1" }))
  expect(screen.queryByRole("region", { name: "Selected rows" })).not.toBeInTheDocument()
  answer.resolve()
  await waitFor(() =>
    expect(screen.getByRole("table", { name: "Members" })).toHaveAttribute("aria-busy", "false"),
  )
})

test("typing searches once after a pause, and Back undoes it", async () => {
  const user = userEvent.setup()
  const { router, requests } = renderApp("/members", pages(30))
  await row("Member m1")
  const field = screen.getByRole("textbox", { name: "Search: Name, company, e-mail or phone" })
  // In one task: no pause can occur between these, even on a slow machine.
  for (const value of ["m", "m3", "m30"]) fireEvent.change(field, { target: { value } })
  expect(await screen.findByText("1 member")).toBeVisible()
  expect(router.state.location.searchStr).toBe("?search=m30")
  expect(listReads(requests)).toHaveLength(2)

  await user.click(screen.getByRole("button", { name: "Clear the search" }))
  expect(await screen.findByText("30 members")).toBeVisible()
  expect(screen.getByRole("textbox", { name: "Search: Name, company, e-mail or phone" })).toHaveValue("")
})

test("known tiers are offered, and any other can be typed", async () => {
  const user = userEvent.setup()
  const members = [madeUpMember("m1", { tier: "Gold" }), madeUpMember("m2", { tier: "Silver" })]
  const { router } = renderApp("/members", membersServer(members))
  await row("Member m1")
  await user.click(screen.getByRole("button", { name: "Tier", expanded: false }))
  const panel = within(await screen.findByRole("dialog", { name: "Tier" }))
  expect(await panel.findByRole("button", { name: "Silver" })).toBeVisible()
  await user.type(panel.getByLabelText("Tier"), "Founders{Enter}")
  await waitFor(() => expect(router.state.location.searchStr).toBe("?tier=Founders"))
  expect(await screen.findByText("No members match these filters")).toBeVisible()
})

test("a URL with filters that a role may not use shows the others only", async () => {
  const { requests } = renderApp(
    "/members?search=m1&tier=Gold",
    membersServer(madeUpMembers(3), "fulfilment"),
  )
  expect(await row("Member m1")).toBeVisible()
  expect(listReads(requests)).toEqual(["GET /api/members?search=m1&page=1&per_page=25"])
})

test("opening a member and going back requests only the ledger: the balance is requested after a delay", async () => {
  const requested = Promise.withResolvers<void>()
  const { router, requests } = renderApp("/members", {
    ...pages(3),
    "GET /api/session": () => sessionOf("manager"),
    "GET /api/members/m2/merge": () => null,
    "GET /api/transactions": () => {
      requested.resolve()
      return Response.json({ success: true, data: [], meta: { page: 1, per_page: 25, total: 0 } })
    },
  })
  fireEvent.click(await row("Member m2"))
  // Goes back on the page's first request, before the delay.
  await requested.promise
  router.history.back()
  expect(await row("Member m1")).toBeVisible()
  const upstream = requests.filter((line) => /\/api\/(program\/|transactions)/.test(line))
  expect(upstream.map((line) => line.split("&")[0])).toEqual(["GET /api/transactions?member_id=m2"])
  expect(listReads(requests)).toHaveLength(1)
})
