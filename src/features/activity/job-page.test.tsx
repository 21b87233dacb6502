import { screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { expect, test } from "vitest"
import { explainCode } from "../../../contract/error-catalogue.ts"
import { refusal, renderApp } from "../../../tests/support/test-app.tsx"
import { jobServer } from "../../../tests/support/activity/job-server.ts"
import { madeUpJob, madeUpRow } from "../../../tests/support/activity/made-up-job.ts"
import { fill } from "../../../tests/support/open-page.tsx"

const running = madeUpJob({
  state: "running",
  counts: { confirmed: 308, failed: 3, unknown: 1, sent: 4, planned: 184 },
  points: { total: 486_250, confirmed: 299_400 },
  pace: { per_minute: 48, ms_left: 235_000 },
  finished_at: null,
})
const others = { created_by: { id: "usr_helen", name: "Helen Park" } }
const figure = (label: string) => screen.getByText(label, { selector: "dt" }).parentElement

test("a running job shows progress, rate, time left, points and row counts by state", async () => {
  renderApp("/jobs/J-1183", jobServer({ job: running, rows: [madeUpRow(1)] }))
  expect(await screen.findByRole("heading", { name: "Q3 installer bonus" })).toBeVisible()
  expect(figure("Processed")).toHaveTextContent("Processed311 of 500 rows")
  expect(figure("Rate")).toHaveTextContent("48 a minute")
  expect(figure("Time left")).toHaveTextContent("3 min 55 s")
  expect(figure("Points awarded")).toHaveTextContent("299,400 of 486,250")
  const legend = within(screen.getByRole("region", { name: "Progress" })).getAllByRole("listitem")
  expect(legend.map((item) => item.textContent)).toEqual([
    "Done 308",
    "Not done 3",
    "Checking 1",
    "Sending 4",
    "Waiting 184",
  ])
})

test("a job shows its activity and time left before its first rows end", async () => {
  const job = madeUpJob({
    state: "running",
    phase: "preparing",
    finding: 384,
    counts: { planned: 500 },
    pace: { per_minute: null, ms_left: 35_000 },
    finished_at: null,
  })
  renderApp("/jobs/J-1183", jobServer({ job, rows: [madeUpRow(1)] }))
  expect(await screen.findByText("Finding 384 members by e-mail")).toBeVisible()
  expect(figure("Time left")).toHaveTextContent("35 s")
})

test("rows that have only ids show member names in the table and the panel", async () => {
  const rows = [madeUpRow(1, { member: { id: "mem_1", label: null } })]
  renderApp("/jobs/J-1183?row=1", {
    ...jobServer({ job: running, rows }),
    "POST /api/members/names": () => ({
      names: [{ id: "mem_1", name: "Ana Silva" }],
      missing: [],
      coming: [],
    }),
  })
  const table = within(await screen.findByRole("table", { name: "Rows of the job" }))
  expect(await table.findByRole("link", { name: "Ana Silva" })).toBeVisible()
  expect(await screen.findByRole("heading", { name: "Ana Silva" })).toBeVisible()
})

test("confirmed rows without a ledger entry are marked, and the job says that nothing is sent again", async () => {
  const job = madeUpJob({ not_in_ledger: 1 })
  const rows = [madeUpRow(1, { not_in_ledger: true }), madeUpRow(2)]
  renderApp("/jobs/J-1183", jobServer({ job, rows }))
  expect(await screen.findByText("1 row that is done isn’t in the ledger yet")).toBeVisible()
  expect(screen.getByText(/nothing is sent again/)).toBeVisible()
  expect(await screen.findAllByText("Not in the ledger yet")).toHaveLength(1)
})

test("rows are filtered by state and search in the URL, and open in a panel", async () => {
  const user = userEvent.setup()
  const rows = [
    madeUpRow(1),
    madeUpRow(2, { state: "failed", outcome: { code: "not_found", message: "Resource not found" } }),
  ]
  const { router, requests } = renderApp("/jobs/J-1183", jobServer({ job: running, rows }))
  await screen.findByRole("link", { name: "Member 1" })
  await user.click(screen.getByRole("radio", { name: "Not done" }))
  await waitFor(() => expect(screen.queryByRole("link", { name: "Member 1" })).not.toBeInTheDocument())
  expect(screen.getByText("Resource not found (not_found)")).toBeVisible()
  await user.type(screen.getByRole("textbox", { name: "Search: Find a row" }), "2{Enter}")
  await waitFor(() => expect(requests.at(-1)).toContain("state=failed&search=2"))
  await user.click(screen.getByRole("link", { name: "Member 2" }))
  const panel = within(await screen.findByRole("complementary", { name: "Row 2" }))
  expect(await panel.findByRole("heading", { name: "Member 2" })).toHaveFocus()
  expect(router.state.location.search).toMatchObject({ state: "failed", find: "2", row: 2 })
  await user.keyboard("{Escape}")
  await waitFor(() => expect(screen.queryByRole("complementary")).not.toBeInTheDocument())
  await waitFor(() => expect(screen.getByRole("link", { name: "Member 2" })).toHaveFocus())
})

test("a row on no loaded page is found by its number", async () => {
  const rows = Array.from({ length: 60 }, (_, at) => madeUpRow(at + 1))
  renderApp("/jobs/J-1183?row=57", jobServer({ job: running, rows }))
  expect(await screen.findByRole("heading", { name: "Member 57" })).toBeVisible()
})

test("the user's own job is paused and resumed by one click each", async () => {
  const user = userEvent.setup()
  const world = { job: running, rows: [madeUpRow(1)] }
  const bodies: unknown[] = []
  renderApp("/jobs/J-1183", {
    ...jobServer(world),
    "POST /api/jobs/J-1183/pause": ({ body }) => {
      bodies.push(body)
      const pause = { code: "paused_by_person", message: "Paused by Priya Nair" }
      world.job = { ...running, state: "paused", pause }
      return world.job
    },
    "POST /api/jobs/J-1183/resume": ({ body }) => {
      bodies.push(body)
      world.job = running
      return world.job
    },
  })
  await user.click(await screen.findByRole("button", { name: "Pause" }))
  expect(await screen.findByText("Paused by Priya Nair")).toBeVisible()
  expect(screen.getByRole("button", { name: "Resume" })).toHaveFocus()
  await user.keyboard("{Enter}")
  expect(await screen.findByRole("button", { name: "Pause" })).toHaveFocus()
  expect(bodies).toEqual([{}, {}])
})

test("a row of a file on another page is found by its position in the job", async () => {
  const rows = Array.from({ length: 120 }, (_, at) => madeUpRow(at + 1, { line: at + 2 }))
  renderApp("/jobs/J-1183?per_page=10&row=110", jobServer({ job: running, rows }))
  const panel = within(await screen.findByRole("complementary", { name: "Row 111" }))
  expect(await panel.findByText("txn_110")).toBeVisible()
})

test("a repeated Resume of a running job shows no error", async () => {
  const user = userEvent.setup()
  const pause = { code: "paused_by_person", message: "Paused by Priya Nair" }
  const world = { job: { ...running, state: "paused" as typeof running.state, pause }, rows: [madeUpRow(1)] }
  renderApp("/jobs/J-1183", {
    ...jobServer(world),
    "POST /api/jobs/J-1183/resume": () => {
      world.job = { ...running, pause }
      const message = "This job is running, so it can’t be resumed. Nothing was done."
      const error = { code: "conflict", message, requestId: "r-1", details: { state: "running" } }
      return Response.json({ success: false, error }, { status: 409 })
    },
  })
  await user.click(await screen.findByRole("button", { name: "Resume" }))
  expect(await screen.findByRole("button", { name: "Pause" })).toBeVisible()
  expect(screen.queryByText(/can’t be resumed/)).not.toBeInTheDocument()
})

test("a manager must give a reason to pause another user's job", async () => {
  const user = userEvent.setup()
  const world = { job: { ...running, ...others }, rows: [] }
  let said: unknown
  renderApp("/jobs/J-1183", {
    ...jobServer(world),
    "POST /api/jobs/J-1183/pause": ({ body }) => {
      said = body
      return { ...world.job, state: "paused", pause: { code: "paused_by_person", message: "Paused" } }
    },
  })
  await user.click(await screen.findByRole("button", { name: "Pause" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Pause this job" }))
  expect(dialog.getByRole("button", { name: "Pause" })).toBeDisabled()
  await fill(user, dialog.getByRole("textbox"), "Wrong file")
  await user.click(dialog.getByRole("button", { name: "Pause" }))
  await waitFor(() => expect(said).toEqual({ reason: "Wrong file" }))
})

test("cancelling shows first what is still finished", async () => {
  const user = userEvent.setup()
  renderApp("/jobs/J-1183", jobServer({ job: running, rows: [] }))
  await user.click(await screen.findByRole("button", { name: "Cancel remaining" }))
  const dialog = await screen.findByRole("dialog", { name: "Cancel remaining" })
  expect(dialog).toHaveTextContent(
    "184 rows will not be sent. 5 rows sent already will be finished or looked up. 308 rows done already stay.",
  )
  expect(within(dialog).getByRole("button", { name: "Cancel 184 rows" })).toBeVisible()
})

const next = explainCode("award", "unauthorized")?.next

test.each([
  ["unauthorized", "", "The program API key was rejected", /Laurel administrator.*PROGRAM_API_KEY/, "Resume"],
  [
    "unauthorized",
    `No. ${next} It may.`,
    "The program API key was rejected",
    /No\. It may\. Nothing else is sent/,
    "Resume",
  ],
  [
    "unauthorized",
    "",
    "The program API key was rejected",
    /Nothing else is sent until it’s resumed/,
    "Resume",
  ],
  ["not_sent_in_time", "It may.", "It couldn’t be sent within a minute", /minuteIt may\./, "Send now"],
  ["something_new", "The plan has run out", "The service refused", /The plan has run out\./, "Resume"],
])(
  "a pause for %s shows the reason, the owner and what to do",
  async (code, message, title, body, button) => {
    const job = madeUpJob({ state: "paused", pause: { code, message }, counts: { planned: 2 } })
    renderApp("/jobs/J-1183", jobServer({ job, rows: [] }))
    const note = (await screen.findByText(title)).closest("[role=status]")
    expect(note).toHaveTextContent(body)
    expect(within(note as HTMLElement).getByRole("button", { name: button })).toBeVisible()
  },
)

test("a pause for a missing template links to the templates", async () => {
  const pause = { code: "template_not_found", message: "No such template." }
  const job = madeUpJob({ kind: "giftcard", state: "paused", pause, counts: { planned: 2 } })
  renderApp("/jobs/J-1183", jobServer({ job, rows: [] }))
  const link = await screen.findByRole("link", { name: "Open card templates" })
  expect(link).toHaveAttribute("href", "/settings/gift-cards")
})

test("a reversal and the job it reverses link to each other", async () => {
  const job = madeUpJob({ reversed_by: ["J-1190"] })
  renderApp("/jobs/J-1183", jobServer({ job, rows: [] }))
  const link = await screen.findByRole("link", { name: "J-1190" })
  expect(link).toHaveAttribute("href", "/jobs/J-1190")
  // It may have been refused.
  expect(link.parentElement).toHaveTextContent(/^Reversal J-1190$/)
})

test("a viewer sees the job without controls", async () => {
  renderApp("/jobs/J-1183", jobServer({ job: running, rows: [] }, "viewer"))
  const pause = await screen.findByRole("button", { name: "Pause" })
  expect(pause).toHaveAttribute("aria-disabled", "true")
  await userEvent.click(pause)
  expect(screen.getByRole("button", { name: "Fix 3 failed rows" })).toHaveAttribute("aria-disabled", "true")
})

test("an unknown job shows that it does not exist", async () => {
  renderApp("/jobs/J-9", {
    ...jobServer({ job: running, rows: [] }),
    "GET /api/jobs/J-9": () => refusal(404, "not_found"),
    "GET /api/jobs/J-9/rows": () => refusal(404, "not_found"),
  })
  expect(await screen.findByText("Job not found")).toBeVisible()
})

const hold = {
  state: "ready",
  sign: "counter",
  at: "2026-11-20T00:00:00.000Z",
  found: 120,
  looking: 0,
  to_send: 64,
  undecided: 0,
} as const

test("a job on hold after a restore shows the reason with numbers, and continues by one click", async () => {
  const user = userEvent.setup()
  const bodies: unknown[] = []
  renderApp("/jobs/J-1183", {
    ...jobServer({ job: { ...running, hold }, rows: [madeUpRow(1)] }),
    "POST /api/jobs/J-1183/release": ({ body }) => {
      bodies.push(body)
      return running
    },
  })
  expect(await screen.findByText("On hold after a restore")).toBeVisible()
  expect(
    screen.getByText(/Found at the service: 120 rows\. Not found, sent when you continue: 64 rows\./),
  ).toBeVisible()
  expect(screen.queryByRole("button", { name: "Continue without proof" })).not.toBeInTheDocument()
  // Neither a running state nor an end time is shown.
  expect(screen.getByText("On hold")).toBeVisible()
  for (const text of ["Running", "Time left", "Rate"])
    expect(screen.queryByText(text)).not.toBeInTheDocument()
  await user.click(screen.getByRole("button", { name: "Continue job" }))
  // One click: the numbers are next to the button.
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument()
  await waitFor(() => expect(bodies).toEqual([{}]))
})

test("unproven rows are sent only after a warning about duplicates", async () => {
  const user = userEvent.setup()
  const bodies: unknown[] = []
  const { router } = renderApp("/jobs/J-1183", {
    ...jobServer({ job: { ...running, hold: { ...hold, undecided: 3 } }, rows: [madeUpRow(1)] }),
    "POST /api/jobs/J-1183/release": ({ body }) => {
      bodies.push(body)
      return running
    },
  })
  await user.click(await screen.findByRole("button", { name: "Continue without proof" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Continue without proof" }))
  expect(dialog.getByText(/For 3 rows it isn’t known .* Those that were are done twice\./)).toBeVisible()
  expect(router.state.location.search).toMatchObject({ open: "unproven" })
  await user.click(dialog.getByRole("button", { name: "Send up to 67 rows" }))
  await waitFor(() => expect(bodies).toEqual([{ unproven: true }]))
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument())
})

test("a banner on every page shows that data was restored and what is on hold", async () => {
  const restore = { sign: "counter", since: null, at: "2026-11-20T00:00:00.000Z", held: 2, looking: 1 }
  renderApp("/jobs/J-1183", {
    ...jobServer({ job: running, rows: [madeUpRow(1)] }),
    "GET /api/jobs/summary": () => ({ active: 2, attention: 0, restore }),
  })
  expect(await screen.findByText(/restored from a backup: 2 jobs are on hold/)).toBeVisible()
})

const parcel = (row: number, fields: Parameters<typeof madeUpRow>[1] = {}) => {
  const input = { order_id: `ord_${row}`, status: "shipped", tracking_number: "0091" }
  return madeUpRow(row, { input, member: null, upstream_id: null, ...fields })
}
const shipDesk = {
  kind: "order-update",
  title: "Shipping parcels",
  points: null,
  open: true,
  closes_at: "2026-11-20T13:00:00.000Z",
} as const

test("a paused job of the ship desk can be resumed, and a parcel that was not sent left out", async () => {
  const user = userEvent.setup()
  const outcome = { code: "conflict", message: "No." }
  const rows = [
    parcel(1),
    parcel(2, { state: "failed", outcome }),
    parcel(3, { state: "planned", attempts: 0 }),
  ]
  const counts = { confirmed: 1, failed: 1, planned: 1 }
  const pause = { code: "unauthorized", message: "" }
  const job = madeUpJob({ ...shipDesk, state: "paused", pause, counts })
  renderApp("/jobs/J-1183", jobServer({ job, rows }, "fulfilment"))
  expect(await screen.findByRole("heading", { name: "Shipping parcels" })).toBeVisible()
  expect(screen.getByText("Takes parcels until the end of the day")).toBeVisible()
  expect(screen.getByRole("button", { name: /Resume/ })).toBeEnabled()
  await user.click(await screen.findByRole("link", { name: "ord_3" }))
  const panel = within(await screen.findByRole("complementary", { name: "Row 3" }))
  expect(await panel.findByRole("button", { name: /Leave/ })).toBeEnabled()
})

test("a row of another day shows the day with the exact time as title; one of today shows seconds", async () => {
  const rows = [
    { ...madeUpRow(1), ended_at: "2025-03-03T02:00:05.000Z" },
    { ...madeUpRow(2), ended_at: new Date().toISOString() },
  ]
  renderApp("/jobs/J-1183", jobServer({ job: running, rows }))
  const day = await screen.findByText("3 Mar 2025")
  expect(day).toHaveAttribute("title", expect.stringContaining(":00:05"))
  expect(screen.getByText(/^\d\d:\d\d:\d\d$/)).toBeVisible()
})

test("a reversed job shows it, offers neither fixing nor reversing, and links its rows to their reversals", async () => {
  const job = madeUpJob({
    counts: { confirmed: 762, failed: 4 },
    points: { total: 7620, confirmed: 7620 },
    reversed_by: ["J-1190"],
    reversed: { rows: 759, points: 7590, open: 0 },
  })
  const rows = [
    madeUpRow(1, { reversed_by: { job: "J-1190", row: 7, state: "confirmed" } }),
    madeUpRow(2, { reversed_by: { job: "J-1190", row: 8, state: "sent" } }),
    madeUpRow(3),
  ]
  renderApp("/jobs/J-1183?row=1", jobServer({ job, rows }))
  expect(await screen.findByText("Reversed, 3 of 762 left")).toBeVisible()
  expect(screen.queryByRole("button", { name: /^Fix/ })).not.toBeInTheDocument()
  expect(screen.queryByRole("button", { name: "Reverse" })).not.toBeInTheDocument()
  expect(screen.getByText("3 awards of 762 weren’t reversed")).toBeVisible()
  expect(screen.getByRole("button", { name: "Reverse the rest" })).toBeVisible()
  expect(figure("Points after reversal")).toHaveTextContent("Points after reversal30 of 7,620")
  const link = await screen.findByRole("link", { name: "J-1190, row 7" })
  expect(link).toHaveAttribute("href", "/jobs/J-1190?row=7")
  const stateOf = (row: number) =>
    within(screen.getByRole("table"))
      .getByRole("link", { name: `Member ${row}` })
      .closest("tr")?.textContent
  expect(stateOf(1)).toContain("Reversed")
  expect(stateOf(2)).toContain("Being reversed")
  expect(stateOf(3)).not.toContain("eversed")
})

test("a job that is being reversed shows the progress", async () => {
  const job = madeUpJob({
    counts: { confirmed: 762 },
    reversed_by: ["J-1190"],
    reversed: { rows: 565, points: 5650, open: 197 },
  })
  renderApp("/jobs/J-1183", jobServer({ job, rows: [madeUpRow(1)] }))
  expect(await screen.findByText("Being reversed, 565 of 762")).toBeVisible()
})

test("a reversal of a few awards leaves a job done, with its failed rows to correct", async () => {
  const job = madeUpJob({
    counts: { confirmed: 762, failed: 4 },
    reversed_by: ["J-1190"],
    reversed: { rows: 1, points: 10, open: 0 },
  })
  renderApp("/jobs/J-1183", jobServer({ job, rows: [madeUpRow(1)] }))
  expect(await screen.findByRole("button", { name: "Fix 4 failed rows" })).toBeVisible()
  expect(screen.getByRole("button", { name: "Reverse" })).toBeVisible()
})
