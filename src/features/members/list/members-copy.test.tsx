import { screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { describe, expect, test } from "vitest"
import { refusal, renderApp } from "../../../../tests/support/test-app.tsx"
import {
  listReads,
  madeUpMember,
  madeUpMembers,
  membersServer,
  syncing,
} from "../../../../tests/support/members/made-up-list.ts"

const links = () => screen.getAllByRole("link", { name: /^Member m/ }).map((link) => link.textContent)
const bar = () => within(screen.getByRole("region", { name: "Selected rows" }))
const row = (name: string) => screen.findByRole("link", { name })

describe("the members list from the local copy", () => {
  test("shows the total and when it was synced", async () => {
    renderApp("/members", membersServer(madeUpMembers(250)))
    await row("Member m1")
    expect(screen.getByText("250 members")).toBeVisible()
    expect(screen.getByText(/^Synced /)).toBeVisible()
    expect(screen.getAllByRole("button", { name: "Refresh" })).toHaveLength(1)
  })

  test("is sorted over all pages, from the first one", async () => {
    const user = userEvent.setup()
    const { router, requests } = renderApp("/members?page=2", membersServer(madeUpMembers(250)))
    await row("Member m26")
    await user.click(screen.getByRole("button", { name: "Points" }))
    await waitFor(() => expect(links()[0]).toBe("Member m250"))
    expect(screen.getByRole("columnheader", { name: "Points" })).toHaveAttribute("aria-sort", "descending")
    expect(router.state.location.searchStr).toBe("?sort=-points")
    expect(listReads(requests).at(-1)).toBe("GET /api/members?sort=-points_balance&page=1&per_page=25")
  })

  test("selects every match, read without requests to the service", async () => {
    const user = userEvent.setup()
    const { requests } = renderApp("/members?tier=Gold", membersServer(madeUpMembers(250)))
    await user.click(await screen.findByRole("checkbox", { name: "Select Member m2" }))
    await user.click(bar().getByRole("button", { name: "Select all 250" }))
    await waitFor(() => expect(bar().getByText("250")).toBeVisible())
    expect(bar().getByText("31,375 points in total")).toBeVisible()
    expect(bar().queryByRole("button", { name: /^Select all/ })).not.toBeInTheDocument()
    expect(listReads(requests).slice(1)).toEqual(["GET /api/members?tier=Gold&page=1&per_page=1000"])
  })

  test("keeps the selection and shows the error when not every match can be read", async () => {
    const user = userEvent.setup()
    const server = membersServer(madeUpMembers(250))
    renderApp("/members", {
      ...server,
      "GET /api/members": (request) =>
        request.query.get("per_page") === "1000"
          ? refusal(500, "internal")
          : server["GET /api/members"]?.(request),
    })
    await user.click(await screen.findByRole("checkbox", { name: "Select Member m2" }))
    await user.click(bar().getByRole("button", { name: "Select all 250" }))
    expect(await screen.findByText(/Couldn’t select every member/)).toBeVisible()
    expect(bar().getByText("1")).toBeVisible()
  })

  test("has a tab with the number of members of each status", async () => {
    const user = userEvent.setup()
    const members = [
      ...madeUpMembers(3),
      madeUpMember("m4", { status: "inactive" }),
      madeUpMember("m5", { status: "inactive", tier: "Silver" }),
    ]
    const { router } = renderApp("/members?page=2&per_page=10", membersServer(members))
    const tabs = within(await screen.findByRole("navigation", { name: "Status" }))
    expect(await tabs.findByRole("link", { name: "All 5" })).toHaveAttribute("aria-current", "page")
    expect(tabs.getByRole("link", { name: "Pending 0" })).toBeVisible()
    await user.click(tabs.getByRole("link", { name: "Inactive 2" }))
    await waitFor(() => expect(router.state.location.searchStr).toBe("?per_page=10&status=inactive"))
    expect(await screen.findByText("2 members")).toBeVisible()
    expect(tabs.getByRole("link", { name: "All 5" })).toBeVisible()
  })

  test("is filtered by the companies of all members, or any other", async () => {
    const user = userEvent.setup()
    const members = [...madeUpMembers(30), madeUpMember("m31", { company: "Top End Air" })]
    const { router } = renderApp("/members", membersServer(members))
    await row("Member m1")
    await user.click(await screen.findByRole("button", { name: "Company", expanded: false }))
    const panel = within(await screen.findByRole("dialog", { name: "Company" }))
    await user.click(await panel.findByRole("button", { name: "Top End Air" }))
    expect(await screen.findByText("1 member")).toBeVisible()
    expect(router.state.location.search).toMatchObject({ company: "Top End Air" })
  })

  test("is filtered by the value of a custom field, chosen or typed, and sorted by it", async () => {
    const user = userEvent.setup()
    const members = [...madeUpMembers(30), madeUpMember("m31", { metadata: { dealer_code: "NSW-1" } })]
    const { router, requests } = renderApp("/members", membersServer(members))
    await row("Member m1")
    await user.click(await screen.findByRole("button", { name: "Custom field" }))
    const panel = within(await screen.findByRole("dialog", { name: "Custom field" }))
    await user.click(await panel.findByRole("button", { name: "dealer_code" }))
    await user.click(await panel.findByRole("button", { name: "NSW-1" }))
    expect(await screen.findByText("1 member")).toBeVisible()
    expect(router.state.location.search).toMatchObject({ field: "dealer_code", value: "NSW-1" })
    await user.click(screen.getByRole("button", { name: "Remove the filter dealer_code" }))
    expect(await screen.findByText("31 members")).toBeVisible()
    await router.navigate({ to: "/members", search: { sort: "-meta:dealer_code" } })
    await waitFor(() =>
      expect(listReads(requests).at(-1)).toBe("GET /api/members?sort=-meta%3Adealer_code&page=1&per_page=25"),
    )
  })

  test("offers custom fields to roles that see them only", async () => {
    const { requests } = renderApp(
      "/members?field=dealer_code&value=QLD-7&sort=meta:dealer_code",
      membersServer(madeUpMembers(3), "viewer"),
    )
    await row("Member m1")
    expect(screen.queryByRole("button", { name: /Custom field|dealer_code/ })).not.toBeInTheDocument()
    expect(listReads(requests)).toEqual(["GET /api/members?page=1&per_page=25"])
  })

  test("is searched by name in a role that sees names and ids only", async () => {
    const user = userEvent.setup()
    const { requests } = renderApp("/members", membersServer(madeUpMembers(30), "fulfilment"))
    await row("Member m1")
    expect(screen.queryByRole("navigation", { name: "Status" })).not.toBeInTheDocument()
    await user.type(screen.getByRole("textbox", { name: "Search: Name or id" }), "m30")
    expect(await screen.findByText("1 member")).toBeVisible()
    expect(listReads(requests).at(-1)).toBe("GET /api/members?search=m30&page=1&per_page=25")
  })
})

describe("the members list before the local copy is complete", () => {
  test("shows how far the sync is, and offers only what the service can do", async () => {
    const user = userEvent.setup()
    renderApp("/members?sort=-points", membersServer(madeUpMembers(250), "manager", syncing))
    await row("Member m1")
    expect(screen.getByText("250 total, 2,300 of 10,000 members synced")).toBeVisible()
    expect(screen.getByText(/^Updated /)).toBeVisible()
    expect(screen.getByRole("columnheader", { name: "Points" })).not.toHaveAttribute("aria-sort")
    expect(screen.queryByRole("button", { name: "Points" })).not.toBeInTheDocument()
    expect(screen.queryByRole("button", { name: "Company" })).not.toBeInTheDocument()
    expect(screen.getByRole("link", { name: "Active" })).toBeVisible()
    await user.click(screen.getByRole("checkbox", { name: "Select Member m2" }))
    expect(bar().queryByRole("button", { name: /^Select all/ })).not.toBeInTheDocument()
  })

  test("is sorted here when it fits on one page", async () => {
    const user = userEvent.setup()
    const server = membersServer(madeUpMembers(3), "manager", syncing)
    const { router, requests } = renderApp("/members", server)
    await row("Member m1")
    await user.click(screen.getByRole("button", { name: "Member" }))
    await user.click(screen.getByRole("button", { name: "Member" }))
    await waitFor(() => expect(links()).toEqual(["Member m3", "Member m2", "Member m1"]))
    expect(router.state.location.searchStr).toBe("?sort=-name")
    expect(new Set(listReads(requests).map((line) => line.replace(/sort=[^&]+&/, "")))).toHaveLength(1)
  })

  test("says when a role that sees names only can search", async () => {
    renderApp("/members", membersServer(madeUpMembers(3), "fulfilment", syncing))
    await row("Member m3")
    expect(screen.getByText("Your role can search names and ids once all members are synced.")).toBeVisible()
    expect(screen.queryByRole("textbox")).not.toBeInTheDocument()
  })
})
