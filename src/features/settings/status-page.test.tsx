import { screen, waitFor, within } from "@testing-library/react"
import type { Role } from "../../../contract/roles.ts"
import { expect, onTestFinished, test } from "vitest"
import { statusQuery } from "../../api/status.ts"
import {
  makeBudget,
  makeConnection,
  makeDrift,
  makeStatus,
} from "../../../tests/support/settings/make-status.ts"
import type { AppStatus, KeyTest, ServerStopped } from "../../../contract/status.ts"
import { openPage } from "../../../tests/support/open-page.tsx"
import type { Handlers } from "../../../tests/support/test-app.tsx"

const openStatus = (status: AppStatus = makeStatus(), answers: Handlers = {}, as: Role = "admin") =>
  openPage("/settings/status", {
    as,
    answers: { "GET /api/status": () => status, "GET /api/status/budget": () => status.budgets, ...answers },
  })

const service = async (name: string) => within(await screen.findByRole("region", { name }))

test("a healthy app shows figures, both services, no difference and the beta notice", async () => {
  await openStatus()
  const program = await service("Program API")
  expect(program.getByText("Answering")).toBeVisible()
  expect(program.getByText("api.program.test/v1")).toBeVisible()
  expect(program.getByText("ends in 7Q2f")).toBeVisible()
  expect(program.getByText("210 ms")).toBeVisible()
  expect(program.getByText("Read working")).toBeVisible()
  expect(program.getByText("Write not seen yet")).toBeVisible()
  expect(screen.getByText("Requests left this minute").nextSibling).toHaveTextContent("42")
  expect(screen.getByText("Used in 30 min").nextSibling).toHaveTextContent("150")
  expect(screen.getByText("Longest wait").nextSibling).toHaveTextContent("1.8 s")
  expect(screen.getByText(/None so far/)).toBeVisible()
  expect(screen.getByText(/unpublished during beta and not for/)).toBeVisible()
  expect(screen.queryByText("needs attention")).not.toBeInTheDocument()
})

test("a connection is tested once and shows the key's permissions or the error", async () => {
  let keyTest: KeyTest = { problem: null, ms: 42, next_key: null }
  const { user, writes } = await openStatus(makeStatus(), { "POST /api/status/program/test": () => keyTest })
  const program = await service("Program API")
  await user.click(program.getByRole("button", { name: "Test connection" }))
  expect(await program.findByText(/works and may read \(42 ms\)\. Whether it may write shows/)).toBeVisible()
  keyTest = { ...keyTest, problem: "The key was refused (401). Invalid API key." }
  await user.click(program.getByRole("button", { name: "Test connection" }))
  expect(await program.findByText("The key was refused (401). Invalid API key.")).toBeVisible()
  expect(writes).toHaveLength(2)
  expect(program.getByText("60 a minute, as in the Starter plan")).toBeVisible()
})

test("the key that waits to take over is named and tested, too", async () => {
  const { user } = await openStatus(
    makeStatus({ connections: [makeConnection({ rotation: { in_use: "current", other_end: "9xYz" } })] }),
    {
      "POST /api/status/program/test": () =>
        ({ problem: null, ms: 42, next_key: "refused" }) satisfies KeyTest,
    },
  )
  const program = await service("Program API")
  expect(program.getByText("ends in 7Q2f; the next one ends in 9xYz")).toBeVisible()
  expect(program.getByText("Uses 2 requests.")).toBeVisible()
  await user.click(program.getByRole("button", { name: "Test connection" }))
  expect(await program.findByText(/works and may read.*The next key was refused\./)).toBeVisible()
})

test("a service that refused its first key says which one is in use and what to set", async () => {
  await openStatus(
    makeStatus({
      connections: [makeConnection({ key_end: "9xYz", rotation: { in_use: "next", other_end: "7Q2f" } })],
    }),
  )
  const program = await service("Program API")
  expect(program.getByText("ends in 9xYz, the next key")).toBeVisible()
  expect(program.getByText(/refused the key that ends in 7Q2f/)).toHaveTextContent("PROGRAM_API_KEY")
  expect(program.getByText("Uses 1 request.")).toBeVisible()
})

test("a service shows its environment and since when its responses differ", async () => {
  await openStatus(makeStatus({ environment: "staging", drift: [makeDrift()] }))
  const program = await service("Program API")
  expect(program.getByText("Environment").nextSibling).toHaveTextContent("staging")
  expect(program.getByText("Differs from the documentation").nextSibling).toHaveTextContent(
    /^1 field since 1 Nov/,
  )
  const cards = await service("Gift card API")
  expect(cards.getByText("Differs from the documentation").nextSibling).toHaveTextContent("No")
})

test("a tested connection marks its service as answering, also during later events", async () => {
  let status = makeStatus({ connections: [makeConnection({ state: "untried" })] })
  const { user, queryClient } = await openStatus(status, {
    "GET /api/status": () => status,
    "POST /api/status/program/test": () => ({ problem: null, ms: 42, next_key: null }) satisfies KeyTest,
  })
  const program = await service("Program API")
  expect(program.getByText("Not checked yet")).toBeVisible()
  status = makeStatus()
  // The test's own request changes the budget, which sends an event to every tab.
  const events = setInterval(() => void queryClient.invalidateQueries(statusQuery), 20)
  onTestFinished(() => clearInterval(events))
  await user.click(program.getByRole("button", { name: "Test connection" }))
  await program.findByText(/works and may read/)
  expect(program.getByText("Answering")).toBeVisible()
  expect(program.queryByText("Not checked yet")).not.toBeInTheDocument()
})

test("the chart has a table, with a row for each minute", async () => {
  await openStatus()
  const table = await screen.findByRole("table", {
    name: /Requests in the last 30 minutes; limit 60 a minute/,
  })
  expect(within(table).getAllByRole("row")).toHaveLength(31)
})

test("a gift-card service that is not connected shows what is affected and how to connect it", async () => {
  await openStatus(
    makeStatus({
      connections: [
        makeConnection(),
        makeConnection({ api: "giftcard", state: "not_connected", base_url: null, key_end: null, day: [] }),
      ],
    }),
  )
  const cards = await service("Gift card API")
  expect(cards.getByText("Not connected")).toBeVisible()
  expect(cards.getByText(/members and points work without it/)).toBeVisible()
  expect(cards.getByText("GIFTCARD_BASE_URL")).toBeVisible()
  expect(cards.queryByText("Median response time")).not.toBeInTheDocument()
})

test("a service that does not respond shows fallbacks, the last error and a mark in the navigation", async () => {
  const last_trouble = { at: new Date().toISOString(), what: "connection refused" }
  await openStatus(
    makeStatus({
      connections: [makeConnection({ state: "not_answering", half_within_ms: null, last_trouble })],
    }),
  )
  const program = await service("Program API")
  expect(program.getByText("Not answering")).toBeVisible()
  expect(program.getByText(/the last loaded data with its age/)).toBeVisible()
  expect(program.getByText(/connection refused/)).toBeVisible()
  expect(program.getByText("None since Laurel started")).toBeVisible()
  expect(screen.getByText("needs attention")).toBeInTheDocument()
})

test("a slow service is shown as text and in the day's total", async () => {
  const from = "2026-11-21T00:00:00Z"
  const day = [
    { from, calls: 94, slow: 0, trouble: 0 },
    { from: "2026-11-21T00:30:00Z", calls: 2, slow: 2, trouble: 0 },
  ]
  await openStatus(makeStatus({ connections: [makeConnection({ state: "slow", day })] }))
  const program = await service("Program API")
  expect(program.getByText("Slow")).toBeVisible()
  expect(program.getByText("96 calls, 2 slow")).toBeVisible()
})

test("a spent budget is shown as a wait, not as an error", async () => {
  await openStatus(
    makeStatus({ budgets: [makeBudget({ left: 0, next_in_ms: 4000, waiting: 3, refused: 2 })] }),
  )
  expect(await screen.findByText(/3 requests are waiting. Nothing is lost/)).toBeVisible()
  expect(screen.getByText("Refused by the service (429)").nextSibling).toHaveTextContent("2")
})

test("one of two budgets is selected by the URL", async () => {
  const budgets = [
    makeBudget(),
    makeBudget({ api: "giftcard", left: 7, used_by: [{ name: "Card batch", requests: 12 }] }),
  ]
  const { router, user } = await openStatus(makeStatus({ budgets }))
  await user.click(await screen.findByRole("radio", { name: "Gift card API" }))
  expect(await screen.findByText("Card batch")).toBeVisible()
  expect(router.state.location.search).toEqual({ api: "giftcard" })
})

test("differences show place, field, count and handling", async () => {
  await openStatus(
    makeStatus({
      drift: [makeDrift(), makeDrift({ field: "company", kind: "empty", seen: 38 })],
    }),
  )
  const unknown = await screen.findByRole("row", { name: /status/ })
  expect(unknown).toHaveTextContent("GET /members")
  expect(unknown).toHaveTextContent("1,127")
  expect(unknown).toHaveTextContent("Shown as sent")
  expect(screen.getByRole("row", { name: /company/ })).toHaveTextContent("Shown as empty")
  // At its service, and above the table.
  expect(screen.getAllByText(/^2 fields since 1 Nov/)).toHaveLength(2)
})

test("roles that cannot see addresses and keys get no empty fields for them", async () => {
  await openStatus(
    makeStatus({ connections: [makeConnection({ base_url: null, key_end: null })] }),
    {},
    "viewer",
  )
  const program = await service("Program API")
  expect(program.getByText("Answering")).toBeVisible()
  expect(program.queryByText("Key")).not.toBeInTheDocument()
})

test("status page shows the ledger's delay once own awards were measured", async () => {
  await openStatus(makeStatus({ history: { watched: 204, usual_ms: 1900, largest_ms: 75_000, missing: 3 } }))
  expect((await screen.findByText("Usually shown within")).nextSibling).toHaveTextContent("1.9 s")
  expect(screen.getByText("Longest", { exact: true }).nextSibling).toHaveTextContent("1 min 15 s")
  expect(screen.getByText("Not shown yet").nextSibling).toHaveTextContent("3")
})

test("an administrator states that a silent server is stopped after checking it", async () => {
  const seen = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const own = { id: "1", name: "laurel-1", host: "app-1", process_id: "1", seen_at: seen(0), rows: 0 }
  const silent = { ...own, id: "2", name: "laurel-2", host: "app-2", seen_at: seen(8), rows: 14 }
  let servers: AppStatus["servers"] = [
    { ...own, state: "this" },
    { ...silent, state: "silent" },
    { ...own, id: "3", name: null, host: "app-3", state: "running" },
  ]
  const { user, writes } = await openStatus(makeStatus(), {
    "GET /api/status": () => makeStatus({ servers }),
    "POST /api/status/servers/2/stopped": () => {
      servers = servers?.filter(({ id }) => id !== "2") ?? null
      return { rows: 14 } satisfies ServerStopped
    },
  })
  const table = within(await screen.findByRole("table", { name: "Servers" }))
  expect(table.getAllByRole("row")).toHaveLength(4)
  expect(table.getAllByRole("button")).toHaveLength(1)
  await user.click(table.getByRole("button", { name: "laurel-2 is stopped" }))
  const dialog = within(await screen.findByRole("dialog", { name: "This server is stopped" }))
  expect(dialog.getByText(/process 1 on app-2/)).toBeVisible()
  expect(dialog.getByText(/What it sent .* counts as ended \(14 rows\)/)).toBeVisible()
  const confirm = dialog.getByRole("button", { name: "It’s stopped" })
  expect(confirm).toBeDisabled()
  await user.click(dialog.getByRole("checkbox", { name: "I checked that this server is stopped" }))
  await user.click(confirm)
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument())
  expect(writes).toHaveLength(1)
  await waitFor(() => expect(screen.queryByText("laurel-2")).not.toBeInTheDocument())
})

test("a server that is not proven to be stopped keeps its place, and the reason is shown", async () => {
  const seen_at = new Date(Date.now() - 60_000).toISOString()
  const server = { id: "2", name: "laurel-2", host: "app-2", process_id: "1", seen_at, rows: 1 }
  const happened = "This server gave a sign of life just now, so it still runs"
  const message = `${happened}. Stop it first. Nothing was done.`
  const { user } = await openStatus(makeStatus({ servers: [{ ...server, state: "silent" }] }), {
    "POST /api/status/servers/2/stopped": () =>
      Response.json(
        { success: false, error: { code: "conflict", message, requestId: "r-1" } },
        { status: 409 },
      ),
  })
  await user.click(await screen.findByRole("button", { name: "laurel-2 is stopped" }))
  const dialog = within(await screen.findByRole("dialog", { name: "This server is stopped" }))
  expect(dialog.getByText(/counts as ended \(1 row\)/)).toBeVisible()
  await user.click(dialog.getByRole("checkbox"))
  await user.click(dialog.getByRole("button", { name: "It’s stopped" }))
  expect(await dialog.findByText(happened)).toBeVisible()
  expect(dialog.getByText("The server’s rows still wait. Stop it first. Nothing was done.")).toBeVisible()
})
