import { screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { expect, test } from "vitest"
import type { AuditEntry } from "../../../contract/audit.ts"
import type { Role } from "../../../contract/roles.ts"
import { refusal, renderApp, sessionOf, type Handlers } from "../../../tests/support/test-app.tsx"

function entry(id: string, fields: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id,
    at: "2026-11-20T23:15:00Z",
    actor: { id: "usr_priya", name: "Priya Nair", role: "manager" },
    action: "member.update",
    area: "program",
    on: { kind: "member", id: "m1", label: "Ana Silva" },
    outcome: "done",
    note: null,
    changes: [],
    request_id: "req-1",
    source: null,
    ...fields,
  }
}

function server(entries: readonly AuditEntry[], role: Role = "manager"): Handlers {
  return {
    "GET /api/session": () => sessionOf(role),
    "GET /api/status/budget": () => [],
    "GET /api/users": () => [],
    "GET /api/audit": ({ query }) => {
      const from = entries.findIndex(({ id }) => id === query.get("before")) + 1
      const part = entries.slice(from, from + 50)
      const next = from + 50 < entries.length ? part.at(-1)?.id : null
      return Response.json({ success: true, data: part, meta: { next } })
    },
  }
}

const reads = (requests: readonly string[]) => requests.filter((line) => line.startsWith("GET /api/audit"))

test("an entry shows actor, action and target, and expands to the changed values", async () => {
  const user = userEvent.setup()
  const change = { field: "company", from: "Silva Solar", to: "Coastal Climate Co" }
  const fund = { field: "fund_cents", from: "100050", to: "100000" }
  const fee = { field: "fee_cents", from: null, to: "250" }
  renderApp("/audit", server([entry("e1", { changes: [change, fund, fee], note: "Read back." })]))
  await user.click(await screen.findByRole("button", { name: "Edited a member" }))
  expect(screen.getAllByRole("link", { name: "Ana Silva" })[0]).toHaveAttribute("href", "/members/m1")
  const changed = within(screen.getByRole("table", { name: "What changed" }))
  expect(changed.getAllByRole("row")[1]).toHaveTextContent("CompanySilva SolarCoastal Climate Co")
  expect(changed.getAllByRole("row")[2]).toHaveTextContent("Fund$1,000.50$1,000.00")
  expect(changed.getAllByRole("row")[3]).toHaveTextContent("Fee per cardNone$2.50")
  expect(screen.getByText("Read back.")).toBeVisible()
  expect(screen.getByText("Priya Nair, manager")).toBeVisible()
})

test("an entry shows its request and, where the server names it, its source address", async () => {
  const user = userEvent.setup()
  const unnamed = entry("e2", { action: "member.delete", request_id: "req-2" })
  renderApp("/audit", server([entry("e1", { source: "203.0.113.7" }), unnamed]))
  await user.click(await screen.findByRole("button", { name: "Deleted a member" }))
  expect(screen.getByText("Request").nextElementSibling).toHaveTextContent("req-2")
  expect(screen.queryByText("Source address")).not.toBeInTheDocument()
  await user.click(screen.getByRole("button", { name: "Edited a member" }))
  expect(screen.getAllByText("Request")[0]?.nextElementSibling).toHaveTextContent("req-1")
  expect(screen.getByText("Source address").nextElementSibling).toHaveTextContent("203.0.113.7")
})

test("a deleted member is not linked, and an unknown action is shown as received", async () => {
  renderApp(
    "/audit",
    server([entry("e1", { action: "member.delete" }), entry("e2", { action: "program.close" })]),
  )
  expect(await screen.findByText("program.close")).toBeVisible()
  expect(screen.getAllByText("Ana Silva")).toHaveLength(2)
  expect(screen.getAllByRole("link", { name: "Ana Silva" })).toHaveLength(1)
})

test("filters are stored in the URL in the server's format", async () => {
  const user = userEvent.setup()
  const { router, requests } = renderApp(
    "/audit?from=2026-11-01&to=2026-11-02&outcome=banana&action=banana&parts=99",
    server([entry("e1")]),
  )
  await screen.findByRole("button", { name: "Edited a member" })
  const days = "from=2026-10-31T14%3A00%3A00.000Z&to=2026-11-02T13%3A59%3A59.999Z"
  expect(reads(requests)).toEqual([`GET /api/audit?${days}&per_page=50`])

  await user.click(screen.getByRole("button", { name: "Outcome" }))
  await user.click(within(await screen.findByRole("dialog", { name: "Outcome" })).getByText("Refused"))
  await waitFor(() => expect(reads(requests).at(-1)).toContain("outcome=refused"))
  expect(router.state.location.search).toMatchObject({ outcome: "refused", from: "2026-11-01" })

  await user.click(screen.getByRole("button", { name: "Clear" }))
  await waitFor(() => expect(router.state.location.searchStr).toBe(""))
})

test.each([
  ["Order", "order"],
  ["Server", "server"],
])("entries are filtered by the kind of their record: %s", async (name, kind) => {
  const user = userEvent.setup()
  const { requests } = renderApp("/audit", server([entry("e1")]))
  await user.click(await screen.findByRole("button", { name: "Kind" }))
  await user.click(within(await screen.findByRole("dialog", { name: "Kind" })).getByText(name))
  await waitFor(() => expect(reads(requests).at(-1)).toContain(`kind=${kind}`))
})

test("older entries are appended, and the URL stores how many parts are loaded", async () => {
  const user = userEvent.setup()
  const entries = Array.from({ length: 70 }, (_, at) => entry(`e${at}`))
  const { router, requests } = renderApp("/audit", server(entries))
  expect(await screen.findByText("newest")).toHaveTextContent("50 newest")
  await user.click(screen.getByRole("button", { name: "Load older" }))
  expect(await screen.findByText("total")).toHaveTextContent("70 total")
  expect(router.state.location.searchStr).toBe("?parts=2")
  expect(reads(requests).at(-1)).toBe("GET /api/audit?before=e49&per_page=50")
  expect(screen.queryByRole("button", { name: "Load older" })).not.toBeInTheDocument()
})

test.each<[Role, string[], string[]]>([
  ["admin", [], ["Person"]],
  ["manager", ["Your entries and the program’s"], ["Person"]],
  ["fulfilment", ["Your own entries"], []],
])("%s sees a note about the visible entries: %s", async (role, scope, personFilter) => {
  renderApp("/audit", server([entry("e1")], role))
  await screen.findByRole("button", { name: "Edited a member" })
  expect(screen.queryAllByText(/^Your (own )?entries/).map((each) => each.textContent)).toEqual(scope)
  expect(screen.queryAllByRole("button", { name: "Person" }).map((each) => each.textContent)).toEqual(
    personFilter,
  )
})

test("a viewer sees why the log is empty, and nothing is requested", async () => {
  const { requests } = renderApp("/audit", server([], "viewer"))
  expect(await screen.findByText("Your role can’t view the audit log")).toBeVisible()
  expect(reads(requests)).toEqual([])
})

test("an empty result offers to clear the filters, and an error names what failed to load", async () => {
  const user = userEvent.setup()
  let answer = refusal(503, "store_unavailable")
  renderApp("/audit?outcome=failed", { ...server([]), "GET /api/audit": () => answer.clone() })
  expect(await screen.findByText(/Couldn’t load the entries\./)).toBeVisible()
  answer = Response.json({ success: true, data: [] })
  await user.click(screen.getByRole("button", { name: "Try again" }))
  expect(await screen.findByText("No entries match these filters")).toBeVisible()
  answer = Response.json({ success: true, data: [entry("e1")] })
  await user.click(screen.getByRole("button", { name: "Clear the filters" }))
  expect(await screen.findByRole("button", { name: "Edited a member" })).toBeVisible()
})
