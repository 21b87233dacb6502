import { act, screen, waitFor } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { expect, test } from "vitest"
import type { Job } from "../../contract/job.ts"
import { jobsKey } from "../api/jobs.ts"
import { jobSummaryQuery } from "../api/shell.ts"
import { isNotified, notify } from "../ui/notify.tsx"
import { renderApp, sessionOf } from "../../tests/support/test-app.tsx"

const running: Job = {
  id: "J-7",
  kind: "award",
  title: "Q3 installer bonus",
  state: "running",
  pause: null,
  phase: "sending",
  total: 500,
  counts: {
    planned: 186,
    sent: 4,
    confirmed: 310,
    failed: 0,
    unknown: 0,
    absent: 0,
    conflict: 0,
    excluded: 0,
  },
  attention: 0,
  batch_code: "7K2Q",
  created_at: "2026-11-20T23:15:00Z",
  created_by: { id: "user-manager", name: "Priya Nair" },
  started_at: null,
  finished_at: null,
  worked_ms: null,
  mode: "bulk",
  file: null,
  points: null,
  pace: null,
  reverses: null,
  reversed_by: [],
}
const done: Job = {
  ...running,
  state: "done",
  counts: { ...running.counts, planned: 0, sent: 0, confirmed: 500 },
}

/** An app on a page without lists, whose server knows one job. */
function app(first: Job) {
  const world = { job: first }
  const isActive = () => world.job.state === "running"
  const opened = renderApp("/nowhere", {
    "GET /api/session": () => sessionOf("manager"),
    "GET /api/status/budget": () => [],
    "GET /api/jobs/summary": () => ({ active: isActive() ? 1 : 0, attention: world.job.attention }),
    "GET /api/jobs": () => (isActive() || world.job.attention > 0 ? [world.job] : []),
    "GET /api/jobs/J-7": () => world.job,
  })
  const receive = (job: Job) =>
    act(async () => {
      world.job = job
      // Like an event of the topic `job`.
      await opened.queryClient.invalidateQueries({ queryKey: jobsKey })
      await opened.queryClient.invalidateQueries({ queryKey: jobSummaryQuery.queryKey })
    })
  return { ...opened, receive }
}

test("the top bar shows the one job that runs with its part done, and leads to it", async () => {
  app(running)
  const chip = await screen.findByRole("link", { name: /1\s*job, 62 %/ })
  expect(chip).toHaveAttribute("href", "/jobs/J-7")
})

test("without a job there is nothing, and no list is read", async () => {
  const { requests } = app(done)
  await screen.findByText("Page not found")
  await waitFor(() => expect(requests).toContain("GET /api/jobs/summary"))
  expect(screen.queryByRole("link", { name: /job,/ })).not.toBeInTheDocument()
  expect(requests.filter((line) => line.startsWith("GET /api/jobs?"))).toEqual([])
})

test("the end of an own job is shown in a notification and in the window's title until dismissed", async () => {
  const user = userEvent.setup()
  const { receive } = app(running)
  await screen.findByRole("link", { name: /1\s*job, 62 %/ })
  await receive(done)
  expect(await screen.findByText("500 of 500 done.")).toBeVisible()
  expect(screen.getByRole("link", { name: "Open the job" })).toHaveAttribute("href", "/jobs/J-7")
  await waitFor(() => expect(document.title).toMatch(/^Done: Q3 installer bonus · /))
  await user.click(screen.getByRole("button", { name: "Dismiss" }))
  await waitFor(() => expect(document.title).not.toContain("Q3 installer bonus"))
})

test("a notification is not repeated on the next page once its own page was read", async () => {
  const { router } = app(done)
  await screen.findByText("Page not found")
  act(() => notify({ id: "J-7", tone: "success", title: "Read there", seenAt: "/there" }))
  expect(screen.getByText("Read there")).toBeVisible()
  act(() => router.history.push("/there"))
  await waitFor(() => expect(screen.queryByText("Read there")).not.toBeInTheDocument())
  await waitFor(() => expect(isNotified("J-7")).toBe(false))
})

test("a row that needs me stays on the screen until it is answered", async () => {
  const { receive } = app(running)
  await screen.findByRole("link", { name: /1\s*job, 62 %/ })
  await receive({ ...running, attention: 1 })
  expect(await screen.findByText("1 row needs a decision.")).toBeVisible()
  expect(await screen.findByRole("link", { name: /^1\s*needs attention$/ })).toBeVisible()
})

test("another person's job is their news, not mine", async () => {
  const { receive } = app({ ...running, created_by: { id: "usr_helen", name: "Helen Park" } })
  await screen.findByRole("link", { name: /1\s*job, 62 %/ })
  await receive({ ...done, created_by: { id: "usr_helen", name: "Helen Park" } })
  await waitFor(() => expect(screen.queryByRole("link", { name: /job, 62/ })).not.toBeInTheDocument())
  expect(screen.queryByText(/confirmed\./)).not.toBeInTheDocument()
})

test("the focus returns to where it was when a notification with the focus is dismissed", async () => {
  const user = userEvent.setup()
  app(done)
  const before = await screen.findByRole("button", { name: /search/i })
  act(() => notify({ id: "note", tone: "success", title: "Points awarded", stays: true }))
  act(() => before.focus())
  await user.keyboard("n")
  expect(screen.getByRole("button", { name: "Dismiss" })).toHaveFocus()
  await user.keyboard("{Enter}")
  await waitFor(() => expect(screen.queryByText("Points awarded")).not.toBeInTheDocument())
  expect(before).toHaveFocus()
})
