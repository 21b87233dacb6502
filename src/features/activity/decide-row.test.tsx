import { screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { expect, test } from "vitest"
import type { JobRow, RowEvidence } from "../../../contract/job-rows.ts"
import { refusal, renderApp, type Handlers } from "../../../tests/support/test-app.tsx"
import { jobServer, type JobWorld } from "../../../tests/support/activity/job-server.ts"
import { madeUpJob, madeUpRow } from "../../../tests/support/activity/made-up-job.ts"
import { fill } from "../../../tests/support/open-page.tsx"

const open = (row: number) =>
  madeUpRow(row, {
    state: "conflict",
    upstream_id: null,
    member: { id: `mem_${row}`, label: row === 207 ? "Marcus Webb" : `Member ${row}` },
    outcome: { code: "no_canary", message: "The ledger does not show it. Look at the member and decide." },
  })

const entry = {
  upstream_id: "txn_cP4",
  created_at: "2026-11-20T23:15:09Z",
  points: 750,
  text: "Q3 installer bonus",
  reference: null,
  after_ms: 2000,
  has_batch_code: false,
  claimed_by: null,
} as const

function evidenceOf(row: JobRow, fields: Partial<RowEvidence> = {}): RowEvidence {
  return {
    row,
    call_ended: "connection closed after 8.2 s, no answer",
    looked_at: ["2026-11-20T23:17:08Z", "2026-11-20T23:18:10Z"],
    balance: { balance: 5525, pending: 0 },
    canary: "none",
    candidates: [
      entry,
      { ...entry, upstream_id: "txn_old", after_ms: -640_000, text: "Q3 bonus (manual)" },
      { ...entry, upstream_id: "txn_row12", has_batch_code: true, claimed_by: { job: "J-1183", row: 12 } },
    ],
    resend: { allowed: true, why_not: null },
    ...fields,
  }
}

function server(world: JobWorld, evidence: Partial<RowEvidence> = {}): Handlers {
  const handlers: Record<string, Handlers[string]> = { ...jobServer(world) }
  for (const row of world.rows) {
    handlers[`GET /api/jobs/J-1183/rows/${row.row}/candidates`] = () => evidenceOf(row, evidence)
  }
  return handlers
}

const job = madeUpJob({ counts: { confirmed: 498, conflict: 2 }, attention: 2 })
const panelOf = async (row: number) =>
  within(await screen.findByRole("complementary", { name: `Row ${row}` }))

test("the question shows all evidence next to the choices, with none preselected", async () => {
  renderApp("/jobs/J-1183?row=207", server({ job, rows: [open(207)] }))
  const panel = await panelOf(207)
  expect(await panel.findByRole("heading", { name: "Did Marcus Webb get these 750 points?" })).toBeVisible()
  expect(await panel.findByText("Connection closed after 8.2 s, no answer")).toBeVisible()
  expect(panel.getByText("5,525, nothing pending")).toBeVisible()
  expect(panel.getByText("2 ledger entries could be it")).toBeVisible()
  expect(panel.getAllByText("2 s after sending")[0]).toBeVisible()
  expect(panel.getByText("10 min 40 s before sending")).toBeVisible()
  expect(panel.getByText("If it did happen, Marcus Webb gets 750 points twice.")).toBeVisible()
  for (const radio of panel.getAllByRole("radio")) expect(radio).not.toBeChecked()
  expect(panel.getByRole("button", { name: "Choose what happened" })).toBeDisabled()
})

test("rows that were refused together offer one award to send first, and open no other row before that", async () => {
  const user = userEvent.setup()
  const refused = { code: "validation_error", message: "awards.3.points: too large" }
  const world = {
    job: madeUpJob({ mode: "bulk", counts: { conflict: 2 }, attention: 2, refusal: refused }),
    rows: [open(207), open(208)],
  }
  const { router } = renderApp("/jobs/J-1183", {
    ...server(world),
    "POST /api/jobs/J-1183/rows/207/decision": ({ body }) => {
      expect(body).toEqual({ decision: "resend" })
      return { ...open(207), state: "planned", outcome: null }
    },
  })
  const notice = await screen.findByText("The service said: “awards.3.points: too large”")
  expect(notice).toBeVisible()
  expect(screen.getByText(/2 awards may have been made all the same.*Send one first/)).toBeVisible()
  expect(screen.queryByText("2 rows need a decision")).not.toBeInTheDocument()
  await user.click(screen.getByRole("button", { name: "Choose the first award" }))
  const panel = await panelOf(207)
  expect(await panel.findByText(/the job’s other rows are checked against it/)).toBeVisible()
  await user.click(panel.getByRole("radio", { name: /It didn’t happen/ }))
  await user.click(panel.getByRole("button", { name: /again|Award/ }))
  await waitFor(() => expect(router.state.location.search).not.toHaveProperty("row"))
})

test("a member known only by id in the file is shown by name everywhere in the question", async () => {
  const row = { ...open(207), member: { id: "mem_207", label: null } }
  renderApp("/jobs/J-1183?row=207", {
    ...server({ job, rows: [row] }),
    "POST /api/members/names": () => ({
      names: [{ id: "mem_207", name: "Noor Rahman" }],
      missing: [],
      coming: [],
    }),
  })
  const panel = await panelOf(207)
  expect(await panel.findByText("If it did happen, Noor Rahman gets 750 points twice.")).toBeVisible()
  expect(panel.getByRole("link", { name: "Noor Rahman" })).toBeVisible()
})

test("an entry that belongs to another row cannot be linked", async () => {
  renderApp("/jobs/J-1183?row=207", server({ job, rows: [open(207)] }))
  const panel = await panelOf(207)
  await panel.findByText(/belongs to row 12/)
  expect(panel.getAllByRole("radio")[2]).toBeDisabled()
})

test("resending is disabled with its reason while the server does not allow it", async () => {
  const resend = { allowed: false, why_not: "Its last call may still be carried out." }
  renderApp("/jobs/J-1183?row=207", server({ job, rows: [open(207)] }, { resend }))
  const panel = await panelOf(207)
  expect(await panel.findByText("Its last call may still be carried out.")).toBeVisible()
  expect(panel.getByRole("radio", { name: /It didn’t happen/ })).toBeDisabled()
})

test("a row without a matching entry can still be marked as happened", async () => {
  const user = userEvent.setup()
  const world = { job, rows: [open(207)] }
  let said: unknown
  renderApp("/jobs/J-1183?row=207", {
    ...server(world, { candidates: [] }),
    "POST /api/jobs/J-1183/rows/207/decision": ({ body }) => {
      said = body
      return refusal(409, "conflict")
    },
  })
  const panel = await panelOf(207)
  await user.click(await panel.findByRole("radio", { name: /^It happened/ }))
  await user.click(panel.getByRole("button", { name: "It happened" }))
  expect(await panel.findByText(/Nothing was decided\./)).toBeVisible()
  expect(said).toEqual({ decision: "happened" })
})

test("by keyboard, the button names the choice, and the next undecided row opens after it", async () => {
  const user = userEvent.setup()
  const world: JobWorld = { job, rows: [open(207), open(311)] }
  const said: unknown[] = []
  const { router } = renderApp("/jobs/J-1183?row=207", {
    ...server(world),
    "POST /api/jobs/J-1183/rows/207/decision": ({ body }) => {
      said.push(body)
      const decision = { decision: "happened", upstream_id: "txn_cP4", at: "2026-11-21T00:00:00Z" } as const
      const decided = {
        ...open(207),
        decision: { ...decision, by: { id: "user-manager", name: "Priya Nair" } },
      }
      world.rows = [decided, open(311)]
      return decided
    },
  })
  const panel = await panelOf(207)
  const [first] = await panel.findAllByRole("radio")
  first?.focus()
  await user.keyboard(" ")
  expect(panel.getByRole("button", { name: /^Link the entry of/ })).toBeEnabled()
  await user.keyboard("{Enter}")
  await waitFor(() => expect(router.state.location.search).toMatchObject({ row: 311 }))
  expect(said).toEqual([{ decision: "happened", upstream_id: "txn_cP4" }])
  expect(await screen.findByRole("heading", { name: "Did Member 311 get these 750 points?" })).toHaveFocus()
})

test("the focus stays in the panel after the last decision", async () => {
  const user = userEvent.setup()
  const world: JobWorld = { job, rows: [open(207)] }
  renderApp("/jobs/J-1183?row=207", {
    ...server(world, { candidates: [] }),
    "POST /api/jobs/J-1183/rows/207/decision": () => {
      const by = { id: "user-manager", name: "Priya Nair" }
      const decision = { decision: "happened", upstream_id: null, at: "2026-11-21T00:00:00Z", by } as const
      const decided = { ...open(207), decision }
      world.rows = [decided]
      return decided
    },
  })
  const panel = await panelOf(207)
  await user.click(await panel.findByRole("radio", { name: /^It happened/ }))
  await user.click(panel.getByRole("button", { name: "It happened" }))
  expect(await panel.findByText("Decided: it happened")).toBeVisible()
  expect(panel.getByRole("heading", { name: "Marcus Webb" })).toHaveFocus()
})

test("a decided row shows decision, user and time, and no question", async () => {
  const decision = {
    decision: "happened",
    upstream_id: "txn_cP4",
    at: "2026-11-21T00:00:00Z",
    by: { id: "usr_helen", name: "Helen Park" },
  } as const
  renderApp("/jobs/J-1183?row=207", server({ job, rows: [{ ...open(207), decision }, open(311)] }))
  const panel = await panelOf(207)
  expect(await panel.findByText("Decided: it happened")).toBeVisible()
  expect(panel.getByText(/By Helen Park, /)).toHaveTextContent("Linked to txn_cP4.")
  expect(panel.queryByRole("radio")).not.toBeInTheDocument()
  const table = within(screen.getByRole("table", { name: "Rows of the job" }))
  expect(table.getByText("Decided")).toHaveAttribute("data-tone", "grey")
  expect(table.getByText("Needs you")).toHaveAttribute("data-tone", "warning")
  const progress = within(screen.getByRole("region", { name: "Progress" }))
  expect(progress.getByText("Needs you")).toHaveAttribute("data-tone", "warning")
})

test("a job without undecided rows shows a neutral status", async () => {
  renderApp("/jobs/J-1183", server({ job: { ...job, attention: 0 }, rows: [] }))
  expect(await screen.findByText("Decided")).toHaveAttribute("data-tone", "grey")
  expect(screen.getByRole("progressbar")).toHaveAttribute(
    "aria-valuetext",
    "500 of 500 rows: done 498, decided 2",
  )
})

test("a row left open can be decided later", async () => {
  const decision = {
    decision: "leave",
    upstream_id: null,
    at: "2026-11-21T00:00:00Z",
    by: { id: "usr_helen", name: "Helen Park" },
  } as const
  renderApp("/jobs/J-1183?row=207", server({ job, rows: [{ ...open(207), decision }] }))
  const panel = await panelOf(207)
  expect(await panel.findByText("Decided: left open")).toBeVisible()
  expect(await panel.findAllByRole("radio")).toHaveLength(5)
})

test("a manager must give a reason to decide a row of another user's job", async () => {
  const user = userEvent.setup()
  const theirs = { ...job, created_by: { id: "usr_helen", name: "Helen Park" } }
  let said: unknown
  renderApp("/jobs/J-1183?row=207", {
    ...server({ job: theirs, rows: [open(207)] }),
    "POST /api/jobs/J-1183/rows/207/decision": ({ body }) => {
      said = body
      return open(207)
    },
  })
  const panel = await panelOf(207)
  await user.click(await panel.findByRole("radio", { name: /Leave it open/ }))
  const button = panel.getByRole("button", { name: "Leave it open" })
  expect(button).toBeDisabled()
  await fill(user, panel.getByRole("textbox"), "Helen is away")
  await user.click(button)
  await waitFor(() => expect(said).toEqual({ decision: "leave", reason: "Helen is away" }))
})

test("a viewer sees who can decide, and no ledger is requested", async () => {
  const { requests } = renderApp("/jobs/J-1183?row=207", jobServer({ job, rows: [open(207)] }, "viewer"))
  const panel = await panelOf(207)
  expect(await panel.findByText(/Requires the Manager role/)).toBeVisible()
  expect(requests.some((line) => line.includes("candidates"))).toBe(false)
})

test("the button has the focus while a decision is sent, and the choice again after a refusal", async () => {
  const user = userEvent.setup()
  const answer = Promise.withResolvers<Response>()
  renderApp("/jobs/J-1183?row=207", {
    ...server({ job, rows: [open(207)] }),
    "POST /api/jobs/J-1183/rows/207/decision": () => answer.promise,
  })
  const panel = await panelOf(207)
  const choice = await panel.findByRole("radio", { name: /Leave it open/ })
  await user.click(choice)
  await user.keyboard("{Enter}")
  await waitFor(() => expect(choice).toBeDisabled())
  expect(panel.getByRole("button", { name: "Leave it open" })).toHaveFocus()
  answer.resolve(refusal(409, "conflict"))
  await waitFor(() => expect(choice).toBeEnabled())
  expect(choice).toHaveFocus()
})
