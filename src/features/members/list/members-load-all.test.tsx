import { screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { beforeEach, expect, test, vi } from "vitest"
import { membersKey } from "../../../api/members.ts"
import { renderApp } from "../../../../tests/support/test-app.tsx"
import {
  listAnswer,
  listReads,
  madeUpMembers,
  membersServer,
} from "../../../../tests/support/members/made-up-list.ts"

beforeEach(() => {
  // A window of 600 px with rows of 40: jsdom has no layout, so no row would be visible.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(40)
})

const links = () => screen.getAllByRole("link", { name: /^Member m/ }).map((link) => link.textContent)

test("load all costs as announced, renders only visible rows, and sorts", async () => {
  const user = userEvent.setup()
  const { router, requests } = renderApp("/members", membersServer(madeUpMembers(250)))
  await screen.findByRole("link", { name: "Member m1" })
  expect(screen.queryByRole("button", { name: "Points" })).not.toBeInTheDocument()

  await user.click(screen.getByRole("button", { name: /^Load all 250$/ }))
  expect(await screen.findByText("loaded")).toHaveTextContent("250 loaded")
  expect(listReads(requests).slice(1)).toEqual(
    [1, 2, 3].map((page) => `GET /api/program/members?page=${page}&per_page=100`),
  )
  expect(router.state.location.searchStr).toBe("?all=true")

  await user.click(screen.getByRole("button", { name: "Points" }))
  await waitFor(() => expect(links()[0]).toBe("Member m250"))
  expect(links().length).toBeLessThan(100)
  expect(screen.getByRole("columnheader", { name: "Points" })).toHaveAttribute("aria-sort", "descending")
  expect(router.state.location.searchStr).toBe("?all=true&sort=-points")

  await user.click(screen.getByRole("button", { name: "Back to pages" }))
  await waitFor(() => expect(router.state.location.searchStr).toBe(""))
  expect(listReads(requests)).toHaveLength(4)
})

test("a sort in the URL is not announced for rows that cannot be sorted", async () => {
  renderApp("/members?sort=-points", membersServer(madeUpMembers(250)))
  await screen.findByRole("link", { name: "Member m1" })
  expect(screen.getByRole("columnheader", { name: "Points" })).not.toHaveAttribute("aria-sort")
})

test("load all never shows an inconsistent list as complete", async () => {
  const user = userEvent.setup()
  let total = 150
  renderApp("/members", {
    ...membersServer([]),
    "GET /api/program/members": ({ query }) => {
      if (query.get("per_page") === "100") total += 1
      return listAnswer(madeUpMembers(25), total)
    },
  })
  await screen.findByRole("link", { name: "Member m1" })
  await user.click(screen.getByRole("button", { name: /^Load all 150/ }))
  expect(await screen.findByText("The list kept changing")).toBeVisible()
  expect(screen.queryByText("loaded")).not.toBeInTheDocument()
})

test("load all confirms a large number of requests, and can be cancelled", async () => {
  const user = userEvent.setup()
  const server = membersServer(madeUpMembers(1500))
  let release: (() => void) | undefined
  renderApp("/members", {
    ...server,
    "GET /api/program/members": async (request) => {
      if (request.query.get("page") === "2") await new Promise<void>((resolve) => (release = resolve))
      return server["GET /api/program/members"]?.(request)
    },
  })
  await screen.findByRole("link", { name: "Member m1" })
  await user.click(screen.getByRole("button", { name: /^Load all 1,500/ }))
  const panel = within(screen.getByRole("dialog", { name: "Load all" }))
  expect(panel.getByText(/Others in your team may wait a moment longer/)).toBeVisible()
  await user.click(panel.getByRole("button", { name: "Load all 1,500" }))
  expect(await screen.findByText("7%")).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Cancel" }))
  release?.()
  expect(await screen.findByRole("button", { name: /^Load all 1,500/ })).toBeVisible()
  expect(screen.queryByText("loaded")).not.toBeInTheDocument()
})

test("load all offer and count stay during a page change, and disappear while the number of matches is unknown", async () => {
  const user = userEvent.setup()
  const server = membersServer(madeUpMembers(150))
  const release: (() => void)[] = []
  renderApp("/members", {
    ...server,
    "GET /api/program/members": async (request) => {
      const first = request.query.get("page") === "1" && !request.query.has("status")
      if (!first) await new Promise<void>((resolve) => release.push(resolve))
      return server["GET /api/program/members"]?.(request)
    },
  })
  const offer = await screen.findByRole("button", { name: /^Load all 150/ })
  await user.click(screen.getByRole("button", { name: "Next page" }))
  await waitFor(() => expect(release).toHaveLength(1))
  expect(await screen.findByText("Page 2 of 6")).toBeVisible()
  expect(offer).toBeVisible()
  expect(screen.getByText("150 total")).toBeVisible()

  await user.click(screen.getByRole("button", { name: "Status" }))
  await user.click(screen.getByRole("button", { name: "Active" }))
  await waitFor(() => expect(offer).not.toBeInTheDocument())
  await waitFor(() => expect(release).toHaveLength(2))
  expect(screen.getByText("Searching…")).toBeVisible()
  release.forEach((answer) => answer())
  expect(await screen.findByText(/^\d+ members$/)).toBeVisible()
  expect(await screen.findByRole("button", { name: /^Load all/ })).toBeVisible()
})

test("load all is not offered for more than 200 requests", async () => {
  renderApp("/members", {
    ...membersServer([]),
    "GET /api/program/members": () => listAnswer(madeUpMembers(25), 20_001),
  })
  expect(await screen.findByText(/20,001 are too many to load at once/)).toBeVisible()
  expect(screen.queryByRole("button", { name: /Load all/ })).not.toBeInTheDocument()
})

test("a list that fits on one page is sorted without loading", async () => {
  const user = userEvent.setup()
  const { router, requests } = renderApp("/members", membersServer(madeUpMembers(3)))
  await screen.findByRole("link", { name: "Member m1" })
  await user.click(screen.getByRole("button", { name: "Member" }))
  await user.click(screen.getByRole("button", { name: "Member" }))
  await waitFor(() => expect(links()).toEqual(["Member m3", "Member m2", "Member m1"]))
  expect(router.state.location.searchStr).toBe("?sort=-name")
  expect(listReads(requests)).toHaveLength(1)
})

test("a URL that wants every match says that they have to be loaded first", async () => {
  renderApp("/members?all=true&sort=-points", membersServer(madeUpMembers(250)))
  expect(await screen.findByText("This view needs all matches loaded")).toBeVisible()
  expect(await screen.findByRole("button", { name: /^Load all 250/ })).toBeVisible()
})

test("a complete list shows when members changed since, and reloads on request", async () => {
  const user = userEvent.setup()
  const { queryClient, requests } = renderApp("/members", membersServer(madeUpMembers(120)))
  await user.click(await screen.findByRole("button", { name: /^Load all 120/ }))
  await screen.findByText("loaded")
  await queryClient.invalidateQueries({ queryKey: membersKey })
  expect(await screen.findByText("Members have changed since these were loaded")).toBeVisible()
  const before = listReads(requests).length

  await user.click(screen.getByRole("button", { name: "Load again" }))
  await waitFor(() => expect(screen.queryByText(/were changed since/)).not.toBeInTheDocument())
  expect(listReads(requests).slice(before)).toHaveLength(2)
})

test("selecting every match shows its cost, loads the missing ones and selects all", async () => {
  const user = userEvent.setup()
  const { requests } = renderApp("/members", membersServer(madeUpMembers(250)))
  await user.click(await screen.findByRole("checkbox", { name: "Select Member m2" }))
  const bar = () => within(screen.getByRole("region", { name: "Selected rows" }))
  await user.click(bar().getByRole("button", { name: /^Select all 250\s*$/ }))
  await waitFor(() => expect(bar().getByText("250")).toBeVisible())
  expect(bar().queryByRole("button", { name: /^Select all/ })).not.toBeInTheDocument()
  expect(listReads(requests)).toHaveLength(4)
})
