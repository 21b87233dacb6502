import { screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { expect, test } from "vitest"
import type { Job } from "../../../contract/job.ts"
import type { Role } from "../../../contract/roles.ts"
import { refusal, renderApp, sessionOf, type Handlers } from "../../../tests/support/test-app.tsx"
import { madeUpJob } from "../../../tests/support/activity/made-up-job.ts"

function server(jobs: readonly Job[], role: Role = "manager"): Handlers {
  return {
    "GET /api/session": () => sessionOf(role),
    "GET /api/status/budget": () => [],
    "GET /api/jobs": ({ query }) => {
      const from = jobs.findIndex(({ id }) => id === query.get("before")) + 1
      const part = jobs.slice(from, from + 50)
      const next = from + 50 < jobs.length ? part.at(-1)?.id : null
      return Response.json({ success: true, data: part, meta: { next } })
    },
  }
}

const reads = (requests: readonly string[]) => requests.filter((line) => line.startsWith("GET /api/jobs?"))

test("a job shows title, owner, progress and the number of rows that need a decision", async () => {
  const running = madeUpJob({
    state: "running",
    counts: { confirmed: 308, failed: 3, conflict: 1, sent: 4, planned: 184 },
    attention: 1,
  })
  renderApp("/jobs", server([running]))
  const link = await screen.findByRole("link", { name: "Q3 installer bonus" })
  expect(link).toHaveAttribute("href", "/jobs/J-1183")
  const row = within(screen.getByRole("row", { name: /Q3 installer bonus/ }))
  expect(row.getByText("Running")).toBeVisible()
  expect(row.getByText("Priya Nair")).toBeVisible()
  expect(row.getByText("1 to decide")).toBeVisible()
  expect(row.getByRole("progressbar")).toHaveAttribute(
    "aria-valuetext",
    "312 of 500 rows: done 308, not done 3, needs you 1, sending 4, waiting 184",
  )
})

test.each([
  [{ state: "done", counts: { confirmed: 2, failed: 3 } }, "Done, 3 not done"],
  [{ state: "done", counts: { confirmed: 2, conflict: 1 }, attention: 1 }, "Needs you"],
  [{ state: "paused", counts: { planned: 2 } }, "Paused"],
  [{ state: "cancelled", counts: { planned: 2 } }, "Cancelled"],
] as const)("%o reads %s", async (fields, word) => {
  renderApp("/jobs", server([madeUpJob(fields)]))
  expect(await screen.findByText(word)).toBeVisible()
})

test("a job without a title is named by its action", async () => {
  const jobs = [
    madeUpJob({ id: "J-1", title: null, points: { total: 500, confirmed: 0 }, counts: { planned: 1 } }),
    madeUpJob({ id: "J-2", title: null, kind: "member-create", points: null, counts: { confirmed: 200 } }),
    madeUpJob({ id: "J-3", title: null, kind: "deduct", reverses: "J-1", counts: { confirmed: 1 } }),
  ]
  renderApp("/jobs", server(jobs))
  expect(await screen.findByRole("link", { name: "Award of 500 points" })).toBeVisible()
  expect(screen.getByRole("link", { name: "200 new members" })).toBeVisible()
  expect(screen.getByRole("link", { name: "Reversal of J-1" })).toBeVisible()
})

test("every filter is stored in the URL in the server's format", async () => {
  const user = userEvent.setup()
  const { router, requests } = renderApp(
    "/jobs?state=attention&kind=banana&person=usr_1&from=2026-11-01&to=2026-11-02&parts=99",
    server([madeUpJob()]),
  )
  await screen.findByRole("link", { name: "Q3 installer bonus" })
  const days = "from=2026-10-31T14%3A00%3A00.000Z&to=2026-11-02T13%3A59%3A59.999Z"
  expect(reads(requests)[0]).toBe(`GET /api/jobs?state=attention&created_by=usr_1&${days}&per_page=50`)

  await user.click(screen.getByRole("button", { name: "Kind" }))
  await user.click(within(await screen.findByRole("dialog", { name: "Kind" })).getByText("Deduction"))
  await waitFor(() => expect(reads(requests).at(-1)).toContain("kind=deduct"))
  expect(router.state.location.search).toMatchObject({ kind: "deduct", state: "attention" })

  await user.click(screen.getByRole("button", { name: "Clear" }))
  await waitFor(() => expect(router.state.location.searchStr).toBe(""))
})

test("older jobs are appended, and the URL stores how many parts are loaded", async () => {
  const user = userEvent.setup()
  const jobs = Array.from({ length: 60 }, (_, at) => madeUpJob({ id: `J-${at}` }))
  const { router, requests } = renderApp("/jobs", server(jobs))
  expect(await screen.findByText("newest")).toHaveTextContent("50 newest")
  await user.click(screen.getByRole("button", { name: "Load older" }))
  expect(await screen.findByText("total")).toHaveTextContent("60 total")
  expect(router.state.location.searchStr).toBe("?parts=2")
  expect(reads(requests).at(-1)).toBe("GET /api/jobs?before=J-49&per_page=50")
})

test("an empty list shows the next step to roles that have one", async () => {
  renderApp("/jobs", server([]))
  expect(await screen.findByText("No jobs yet")).toBeVisible()
  expect(screen.getByRole("link", { name: "Choose members" })).toHaveAttribute("href", "/members")
})

test("an empty list of decisions is explained, and an error names what failed to load", async () => {
  const user = userEvent.setup()
  let answer = refusal(503, "store_unavailable")
  renderApp("/jobs?state=attention", { ...server([]), "GET /api/jobs": () => answer.clone() })
  expect(await screen.findByText(/Couldn’t load the jobs\./)).toBeVisible()
  answer = Response.json({ success: true, data: [] })
  await user.click(screen.getByRole("button", { name: "Try again" }))
  expect(await screen.findByText("Nothing needs attention")).toBeVisible()
})

test("a fulfilment user sees a note about their own jobs, and no other filters", async () => {
  renderApp("/jobs", server([madeUpJob()], "fulfilment"))
  expect(await screen.findByText("Your jobs and all order updates")).toBeVisible()
  expect(screen.queryByRole("button", { name: "Person" })).not.toBeInTheDocument()
})

test("navigation shows the number of rows that need a decision", async () => {
  renderApp("/jobs", {
    ...server([madeUpJob()]),
    "GET /api/jobs/summary": () => ({ active: 0, attention: 2 }),
  })
  const nav = within(await screen.findByRole("navigation", { name: "Main" }))
  expect(await nav.findByRole("link", { name: /Activity.*2.*need attention/ })).toBeVisible()
  expect(await screen.findByRole("link", { name: /^2\s*need attention$/ })).toHaveAttribute(
    "href",
    "/jobs?state=attention",
  )
})
