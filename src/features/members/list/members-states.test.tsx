import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { describe, expect, it, test, vi } from "vitest"
import { parseExact } from "../../../../contract/exact-json.ts"
import { memberListReader } from "../../../../contract/program/member.ts"
import type { Role } from "../../../../contract/roles.ts"
import { membersKey } from "../../../api/members.ts"
import { refusal, renderApp } from "../../../../tests/support/test-app.tsx"
import {
  listAnswer,
  listReads,
  madeUpMember,
  madeUpMembers,
  membersServer,
} from "../../../../tests/support/members/made-up-list.ts"

const row = (name: string) => screen.findByRole("link", { name })
const heads = () => screen.getAllByRole("columnheader").map((head) => head.textContent)

describe("members list by role", () => {
  it.each<[Role, string[]]>([
    ["admin", ["", "Member", "E-mail", "Company", "Tier", "Status", "Points", "Updated"]],
    ["manager", ["", "Member", "E-mail", "Company", "Tier", "Status", "Points", "Updated"]],
    ["viewer", ["Member", "E-mail", "Company", "Tier", "Status", "Points", "Updated"]],
    ["fulfilment", ["Member", "Id"]],
  ])("%s: %s", async (role, columns) => {
    renderApp("/members", membersServer(madeUpMembers(2), role))
    await row("Member m1")
    expect(heads()).toEqual(columns)
  })

  it("offers columns of observed metadata only to roles that see it, and stores the choice in the browser", async () => {
    const user = userEvent.setup()
    renderApp("/members", membersServer(madeUpMembers(2)))
    await row("Member m1")
    await user.click(screen.getByRole("button", { name: "Columns" }))
    const panel = within(await screen.findByRole("dialog", { name: "Columns" }))
    await user.click(await panel.findByLabelText("dealer_code"))
    await user.click(panel.getByLabelText("Company"))
    expect(screen.getAllByText("QLD-7")).toHaveLength(2)

    cleanup()
    renderApp("/members", membersServer(madeUpMembers(2)))
    await row("Member m1")
    expect(heads()).toContain("dealer_code")
    expect(heads()).not.toContain("Company")
  })

  it("offers to award in a row whose points column is hidden", async () => {
    const user = userEvent.setup()
    renderApp("/members", membersServer(madeUpMembers(1)))
    await row("Member m1")
    await user.click(screen.getByRole("button", { name: "Columns" }))
    await user.click(await screen.findByLabelText("Points"))
    expect(heads()).not.toContain("Points")
    expect(screen.getByRole("link", { name: /^Award points to Member m1/ })).toBeInTheDocument()
  })

  it("never hides the last column", async () => {
    const user = userEvent.setup()
    renderApp("/members", membersServer(madeUpMembers(1), "fulfilment"))
    await row("Member m1")
    await user.click(screen.getByRole("button", { name: "Columns" }))
    await user.click(await screen.findByLabelText("Id"))
    expect(screen.getByLabelText("Member")).toBeDisabled()
  })

  it("offers a new member to roles that can create one, and tells others which role it needs", async () => {
    renderApp("/members", membersServer([madeUpMember("m1")], "viewer"))
    await row("Member m1")
    expect(screen.getByRole("link", { name: "New member" })).toHaveAttribute("aria-disabled", "true")
  })
})

test("an empty result says which fields the search covers, and offers to clear it", async () => {
  const user = userEvent.setup()
  renderApp("/members?search=climte&tier=Gold", membersServer(madeUpMembers(3)))
  expect(await screen.findByText("No members match “climte” and these filters")).toBeVisible()
  expect(
    screen.getByText("Search covers names, e-mails, companies, phones, ids and custom fields."),
  ).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Clear the filters" }))
  expect(await row("Member m3")).toBeVisible()
})

test("a page past the end links to the last one", async () => {
  const user = userEvent.setup()
  renderApp("/members?page=99", membersServer(madeUpMembers(30)))
  expect(await screen.findByText("Page 99 is past the end")).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Last page" }))
  expect(await row("Member m30")).toBeVisible()
})

test("a list that failed to load shows why, and loads on retry", async () => {
  const user = userEvent.setup()
  let works = false
  const server = membersServer(madeUpMembers(3))
  const { requests } = renderApp("/members", {
    ...server,
    "GET /api/members": (request) =>
      works ? server["GET /api/members"]?.(request) : refusal(503, "store_unavailable"),
  })
  expect(await screen.findByText(/Couldn’t load the members\./)).toBeVisible()
  expect(listReads(requests)).toHaveLength(1)
  expect(screen.queryByText("There are no members yet")).not.toBeInTheDocument()
  works = true
  await user.click(screen.getByRole("button", { name: "Try again" }))
  expect(await row("Member m1")).toBeVisible()
  expect(screen.queryByText(/Couldn’t load the members\./)).not.toBeInTheDocument()
})

test("a failed refresh preserves the rows with the error above them", async () => {
  const user = userEvent.setup()
  let works = true
  const server = membersServer(madeUpMembers(3))
  renderApp("/members", {
    ...server,
    "GET /api/members": (request) =>
      works ? server["GET /api/members"]?.(request) : refusal(503, "store_unavailable"),
  })
  await row("Member m1")
  works = false
  await user.click(screen.getByRole("button", { name: "Refresh" }))
  expect(await screen.findByText(/Couldn’t refresh the members/)).toBeVisible()
  expect(screen.getByRole("link", { name: "Member m1" })).toBeVisible()
})

test("an old response shows its age and can be refreshed", async () => {
  const user = userEvent.setup()
  const reads: (string | null)[] = []
  const { requests } = renderApp("/members", {
    ...membersServer([]),
    "GET /api/members": () => {
      reads.push("read")
      const headers = reads.length === 1 ? { Age: "250", "X-Laurel-Stale": "1" } : {}
      return listAnswer(madeUpMembers(1), 1, headers)
    },
  })
  expect(await screen.findByText("The list is 4 minutes old")).toBeVisible()
  await user.click(screen.getByText("Refresh"))
  await waitFor(() => expect(screen.queryByText("The list is 4 minutes old")).not.toBeInTheDocument())
  expect(listReads(requests)).toHaveLength(2)
})

test("a response that is being updated is marked below the rows, and replaced without a reload", async () => {
  let reads = 0
  const headers = { Age: "250", "X-Laurel-Stale": "1", "X-Laurel-Stale-Reason": "budget_spent" }
  renderApp("/members", {
    ...membersServer([]),
    "GET /api/members": () => {
      reads += 1
      return listAnswer(madeUpMembers(reads <= 2 ? 1 : 2), 2, reads <= 2 ? headers : {})
    },
  })
  expect(await screen.findByText(/^As of .+, updating$/)).toBeVisible()
  expect(screen.queryByText(/is 4 minutes old/)).not.toBeInTheDocument()
  expect(await screen.findByRole("link", { name: "Member m2" }, { timeout: 60_000 })).toBeVisible()
  expect(screen.queryByText(/, updating$/)).not.toBeInTheDocument()
})

test.each([
  ["upstream_unreachable", "250", ["The service couldn’t be reached just now."]],
  ["refused_by_service", "250", ["The service had a fault just now."]],
  ["upstream_unreachable", "40", []],
])("a stale response shows why a newer one failed: %s, %s s", async (code, age, words) => {
  const headers = { Age: age, "X-Laurel-Stale": "1", "X-Laurel-Stale-Reason": code }
  renderApp("/members", {
    ...membersServer([]),
    "GET /api/members": () => listAnswer(madeUpMembers(1), 1, headers),
  })
  await row("Member m1")
  const reason = screen.queryAllByText(/couldn’t be reached|had a fault/).map((said) => said.textContent)
  expect(reason).toEqual(words)
})

test("an empty search result is not shown during a refetch", async () => {
  const again = Promise.withResolvers<Response>()
  let reads = 0
  const { queryClient } = renderApp("/members?search=zoe", {
    ...membersServer([]),
    "GET /api/members": () => ((reads += 1) === 1 ? listAnswer([], 0) : again.promise),
  })
  expect(await screen.findByText(/No members match/)).toBeVisible()
  void queryClient.invalidateQueries({ queryKey: membersKey })
  await waitFor(() => expect(screen.queryByText(/No members match/)).not.toBeInTheDocument())
  again.resolve(listAnswer(madeUpMembers(1), 1))
  await row("Member m1")
})

test("a list that loads for ten seconds shows what it waits for", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  renderApp("/members", {
    ...membersServer([]),
    "GET /api/members": () => refusal(503, "upstream_limited", { "Retry-After": "60" }),
  })
  await screen.findByRole("heading", { name: "Members" })
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(await screen.findByText("Waiting for the service")).toBeVisible()
  vi.useRealTimers()
})

test("a row with damaged fields shows what was received, without affecting other rows", async () => {
  const damaged = [
    madeUpMember("m1"),
    { ...madeUpMember("m2"), points_balance: "12 thousand", email: 77, metadata: [] },
    { ...madeUpMember("m3"), tier: 3, status: { a: 1 }, updated_at: 9 },
    { ...madeUpMember("m4"), id: 42, points_balance: "big" },
    null,
    madeUpMember("m6"),
  ]
  const text = JSON.stringify(damaged).replace('"big"', "9007199254740993")
  const shown = memberListReader.show(parseExact(text))
  if (!shown.ok) throw new Error(shown.reason)
  renderApp("/members", membersServer(shown.value))
  const rowOf = async (name: string) => within((await row(name)).closest("tr") ?? document.body)
  expect((await rowOf("Member m2")).getByText("12 thousand")).toBeVisible()
  expect((await rowOf("Member m2")).getByText("77")).toBeVisible()
  for (const text of ["3", '{"a":1}', "9"]) expect((await rowOf("Member m3")).getByText(text)).toBeVisible()
  expect((await rowOf("Member m4")).getByText("9007199254740993")).toBeVisible()
  for (const name of ["Member m1", "Member m6"]) expect((await rowOf(name)).getByText("100")).toBeVisible()
  expect(screen.getAllByRole("row")).toHaveLength(1 + damaged.length)
})

test("a resized column is stored once, at the end; Escape restores its width", async () => {
  renderApp("/members", membersServer(madeUpMembers(3)))
  const heading = await screen.findByRole("columnheader", { name: "Company" })
  const handle = heading.lastElementChild as HTMLElement
  // jsdom has no pointer capture.
  handle.setPointerCapture = () => {}
  const columns = () => JSON.stringify(localStorage)
  const before = columns()
  const drag = (to: number) => {
    fireEvent.pointerDown(handle, { button: 0, clientX: 0 })
    fireEvent.pointerMove(handle, { clientX: to })
    expect(columns()).toBe(before)
  }
  drag(260)
  fireEvent.keyDown(document.body, { key: "Escape" })
  fireEvent.lostPointerCapture(handle)
  expect(columns()).toBe(before)

  drag(260)
  fireEvent.lostPointerCapture(handle)
  expect(columns()).toContain("260")
})
