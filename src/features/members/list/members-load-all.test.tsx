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
  // A window of 600 px with rows of 40: jsdom has no layout, and without one no row is in view.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(40)
})

const links = () => screen.getAllByRole("link", { name: /^Member m/ }).map((link) => link.textContent)

test("every match is loaded at what it said it costs, drawn as far as in view, and sorted", async () => {
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

test("a list that changes while it is read is read again from the start", async () => {
  const user = userEvent.setup()
  const server = membersServer(madeUpMembers(150))
  const grown = membersServer(madeUpMembers(151))
  let reads = 0
  renderApp("/members", {
    ...server,
    "GET /api/program/members": (request) => {
      reads += 1
      return (reads < 3 ? server : grown)["GET /api/program/members"]?.(request)
    },
  })
  await screen.findByRole("link", { name: "Member m1" })
  await user.click(screen.getByRole("button", { name: /^Load all 150/ }))
  expect(await screen.findByText("loaded")).toHaveTextContent("151 loaded")
  expect(reads).toBe(5)
})

test("loading that keeps failing to fit shows nothing as the whole", async () => {
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

test("many requests are asked about first, and can be cancelled", async () => {
  const user = userEvent.setup()
  const server = membersServer(madeUpMembers(1500))
  let held: (() => void) | undefined
  renderApp("/members", {
    ...server,
    "GET /api/program/members": async (request) => {
      if (request.query.get("page") === "2") await new Promise<void>((resolve) => (held = resolve))
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
  held?.()
  expect(await screen.findByRole("button", { name: /^Load all 1,500/ })).toBeVisible()
  expect(screen.queryByText("loaded")).not.toBeInTheDocument()
})

test("the offer and the count stay while another page is waited for, and go while nobody knows how many match", async () => {
  const user = userEvent.setup()
  const server = membersServer(madeUpMembers(150))
  const held: (() => void)[] = []
  renderApp("/members", {
    ...server,
    "GET /api/program/members": async (request) => {
      const first = request.query.get("page") === "1" && !request.query.has("status")
      if (!first) await new Promise<void>((resolve) => held.push(resolve))
      return server["GET /api/program/members"]?.(request)
    },
  })
  const offer = await screen.findByRole("button", { name: /^Load all 150/ })
  await user.click(screen.getByRole("button", { name: "Next page" }))
  await waitFor(() => expect(held).toHaveLength(1))
  expect(await screen.findByText("Page 2 of 6")).toBeVisible()
  expect(offer).toBeVisible()
  expect(screen.getByText("150 total")).toBeVisible()

  await user.click(screen.getByRole("button", { name: "Status" }))
  await user.click(screen.getByRole("button", { name: "Active" }))
  await waitFor(() => expect(offer).not.toBeInTheDocument())
  await waitFor(() => expect(held).toHaveLength(2))
  expect(screen.getByText("Searching…")).toBeVisible()
  held.forEach((answer) => answer())
  expect(await screen.findByText(/^\d+ members$/)).toBeVisible()
  expect(await screen.findByRole("button", { name: /^Load all/ })).toBeVisible()
})

test("more than 200 requests are not offered", async () => {
  renderApp("/members", {
    ...membersServer([]),
    "GET /api/program/members": () => listAnswer(madeUpMembers(25), 20_001),
  })
  expect(await screen.findByText(/20,001 are too many to load at once/)).toBeVisible()
  expect(screen.queryByRole("button", { name: /Load all/ })).not.toBeInTheDocument()
})

test("a list that fits on one page is sorted as it is", async () => {
  const user = userEvent.setup()
  const { router, requests } = renderApp("/members", membersServer(madeUpMembers(3)))
  await screen.findByRole("link", { name: "Member m1" })
  await user.click(screen.getByRole("button", { name: "Member" }))
  await user.click(screen.getByRole("button", { name: "Member" }))
  await waitFor(() => expect(links()).toEqual(["Member m3", "Member m2", "Member m1"]))
  expect(router.state.location.searchStr).toBe("?sort=-name")
  expect(listReads(requests)).toHaveLength(1)
})

test("an address that wants every match says that they have to be loaded first", async () => {
  renderApp("/members?all=true&sort=-points", membersServer(madeUpMembers(250)))
  expect(await screen.findByText("This view needs all matches loaded")).toBeVisible()
  expect(await screen.findByRole("button", { name: /^Load all 250/ })).toBeVisible()
})

test("a whole that was loaded says when members changed since, and is loaded again on request", async () => {
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

test("selecting every match says what it costs, loads the others, and has all of them", async () => {
  const user = userEvent.setup()
  const { requests } = renderApp("/members", membersServer(madeUpMembers(250)))
  await user.click(await screen.findByRole("checkbox", { name: "Select Member m2" }))
  const bar = () => within(screen.getByRole("region", { name: "Selected rows" }))
  await user.click(bar().getByRole("button", { name: /^Select all 250\s*$/ }))
  await waitFor(() => expect(bar().getByText("250")).toBeVisible())
  expect(bar().queryByRole("button", { name: /^Select all/ })).not.toBeInTheDocument()
  expect(listReads(requests)).toHaveLength(4)
})
