import { screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { beforeEach, expect, onTestFinished, test, vi } from "vitest"
import type { JobRow } from "../../../../contract/job-rows.ts"
import { refusal, renderApp } from "../../../../tests/support/test-app.tsx"
import { jobServer, type JobWorld } from "../../../../tests/support/activity/job-server.ts"
import { madeUpJob, madeUpRow } from "../../../../tests/support/activity/made-up-job.ts"
import { listAnswer, madeUpMember } from "../../../../tests/support/members/made-up-list.ts"

beforeEach(() => {
  // A window of 600 px with rows of 40: jsdom has no layout, so no row would be visible.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(40)
})

/** The cell of a row, by position in the grid; the first column shows the outcome. */
function cell(row: number, column: number): HTMLElement {
  const found = document.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`)
  if (found === null) throw new Error(`No cell ${row}:${column}.`)
  return found
}

const job = madeUpJob({ counts: { confirmed: 1, failed: 2 } })
const failed = (row: number) =>
  madeUpRow(row, {
    state: "failed",
    upstream_id: null,
    outcome: {
      code: "not_found_there",
      message: "No member has this id. Nothing was done.",
    },
  })
const rows = [madeUpRow(1), failed(2), failed(3)]

test("failed rows are corrected in place and sent again, with the focus on the first invalid cell", async () => {
  const user = userEvent.setup()
  const world: JobWorld = { job, rows }
  let said: unknown
  // Before the focus is set, a key press would be lost.
  const focused: unknown[] = []
  const note = ({ target }: Event) => {
    if (target instanceof Element && target.matches("[data-cell]")) focused.push(target.textContent)
  }
  document.addEventListener("focusin", note)
  onTestFinished(() => document.removeEventListener("focusin", note))
  const { router } = renderApp("/jobs/J-1183?state=failed", {
    ...jobServer(world),
    "POST /api/jobs/J-1183/retry": ({ body }) => {
      said = body
      world.job = madeUpJob({ state: "running", counts: { confirmed: 1, planned: 2 } })
      return world.job
    },
  })
  await user.click(await screen.findByRole("button", { name: "Fix 2 failed rows" }))
  const table = within(await screen.findByRole("grid", { name: "Failed rows" }))
  expect(await table.findAllByText("No member has this id. Nothing was done.")).toHaveLength(2)
  await waitFor(() => expect(cell(0, 1)).toHaveFocus())
  expect(focused).toEqual(["mem_2"])
  await user.keyboard("ana@example.test{Enter}")
  await user.click(screen.getByRole("button", { name: "Send 2 rows again" }))
  await waitFor(() => expect(router.state.location.searchStr).toBe(""))
  await waitFor(() => expect(screen.getByRole("heading", { level: 1 })).toHaveFocus())
  expect(said).toEqual({
    rows: [
      { row: 2, input: { email: "ana@example.test", points: 750, reason: "Q3 installer bonus" } },
      { row: 3 },
    ],
  })
})

test("a row can be left out, and an invalid cell blocks sending with a message", async () => {
  const user = userEvent.setup()
  const { requests } = renderApp("/jobs/J-1183?open=fix", {
    ...jobServer({ job, rows }),
    "POST /api/jobs/J-1183/retry": () => refusal(409, "conflict"),
  })
  await screen.findByRole("button", { name: "Send 2 rows again" })
  await waitFor(() => expect(cell(1, 1)).toHaveTextContent("mem_3"))
  await user.click(cell(1, 1))
  await user.click(screen.getByRole("button", { name: "Leave row 3 out" }))
  expect(await screen.findByRole("button", { name: "Send 1 row again, leave 1 out" })).toBeEnabled()
  await user.click(cell(0, 2))
  await user.keyboard("{Delete}")
  await waitFor(() => expect(cell(0, 2)).toBeInvalid())
  expect(screen.getByRole("button", { name: "Send 0 rows again, leave 1 out" })).toBeDisabled()
  expect(requests.filter((line) => line.startsWith("POST"))).toEqual([])
  await user.keyboard("900{Enter}")
  await user.click(await screen.findByRole("button", { name: "Send 1 row again, leave 1 out" }))
  expect(await screen.findByText(/No row was sent again\./)).toBeVisible()
  expect(cell(0, 2)).toHaveTextContent("900")
  await user.click(screen.getByRole("button", { name: "Cancel" }))
  await waitFor(() => expect(screen.getByRole("heading", { level: 1 })).toHaveFocus())
})

test("a member is found by name while typing in a cell", async () => {
  const user = userEvent.setup()
  const { requests } = renderApp("/jobs/J-1183?open=fix", {
    ...jobServer({ job, rows }),
    "GET /api/members": () =>
      listAnswer(
        [madeUpMember("mem_77", { first_name: "Ana", last_name: "Silva", email: "ana@site.test" })],
        1,
      ),
  })
  await waitFor(() => expect(cell(1, 1)).toHaveTextContent("mem_3"))
  await user.click(cell(1, 1))
  await user.keyboard("{Enter}")
  const field = await screen.findByRole("combobox", { name: "Member id, row 3" })
  // The cell's previous content is not searched.
  expect(requests.filter((line) => line.includes("search="))).toEqual([])
  await user.clear(field)
  await user.type(field, "ana si")
  const option = await screen.findByText("Ana Silva · ana@site.test")
  expect(option.closest("datalist")).toHaveAttribute("id", field.getAttribute("list"))
  expect(option).toHaveValue("mem_77")
})

test("a job without failed rows has nothing to correct", async () => {
  renderApp("/jobs/J-1183?open=fix", jobServer({ job, rows: [madeUpRow(1)] }))
  expect(await screen.findByText("No failed rows")).toBeVisible()
})

const cardRow = (row: number, cardId: string, more: Partial<JobRow> = {}) =>
  madeUpRow(row, {
    state: "planned",
    upstream_id: null,
    attempts: 0,
    can_edit: true,
    input: {
      member: { email: `p${row}@site.test`, firstname: "Pat", lastname: "Lee" },
      denomination: 50,
      cardId,
    },
    ...more,
  })

const paused = madeUpJob({
  kind: "giftcard",
  state: "paused",
  pause: { code: "template_not_found", message: "No such template." },
  counts: { confirmed: 1, planned: 3 },
})

/** A paused job of cards whose second row names an unknown template. */
function pausedCards(said: unknown[], resume: () => unknown): Parameters<typeof renderApp>[1] {
  return {
    ...jobServer({
      job: paused,
      rows: [
        madeUpRow(1),
        cardRow(2, "card_tradvisa", { attempts: 1 }),
        cardRow(3, "card_tradevisa"),
        cardRow(4, "card_tradevisa", { can_edit: false }),
      ],
    }),
    "GET /api/settings/cardTemplates": () => ({
      templates: [{ id: "card_tradevisa", name: "Trade Visa", denominations: [] }],
      default: null,
    }),
    "PATCH /api/jobs/J-1183/rows": ({ body }) => {
      said.push(body)
      return paused
    },
    "POST /api/jobs/J-1183/resume": resume,
  }
}

test("unsent rows of a paused job are corrected in place and saved, and the job resumes", async () => {
  const user = userEvent.setup()
  const said: unknown[] = []
  const { router, requests } = renderApp(
    "/jobs/J-1183",
    pausedCards(said, () => ({ ...paused, state: "running", pause: null })),
  )
  await user.click(await screen.findByRole("button", { name: "Edit 3 unsent rows" }))
  const table = within(await screen.findByRole("grid", { name: "Unsent rows" }))
  // A row that may have been carried out is not offered.
  await waitFor(() => expect(table.getAllByRole("row")).toHaveLength(3))
  expect(
    await screen.findByText(/Template "card_tradvisa" isn’t in the settings\. Did you mean "Trade Visa"\?/),
  ).toBeVisible()
  expect(table.queryByRole("button", { name: /^Leave row/ })).not.toBeInTheDocument()
  await user.click(table.getByRole("button", { name: "Use Trade Visa in row 2" }))
  const send = await screen.findByRole("button", { name: "Save and resume" })
  await waitFor(() => expect(send).toBeEnabled())
  await user.click(send)
  await waitFor(() => expect(router.state.location.searchStr).toBe(""))
  expect(said).toMatchObject([{ rows: [{ row: 2, input: { cardId: "card_tradevisa", denomination: 50 } }] }])
  expect(requests.filter((line) => /^(PATCH|POST)/.test(line))).toEqual([
    "PATCH /api/jobs/J-1183/rows",
    "POST /api/jobs/J-1183/resume",
  ])
})

test("a server problem is shown at its cell, and the job stays paused", async () => {
  const user = userEvent.setup()
  const resumed: unknown[] = []
  renderApp("/jobs/J-1183?open=edit", {
    ...pausedCards([], () => resumed.push(1)),
    "PATCH /api/jobs/J-1183/rows": () =>
      Response.json(
        {
          success: false,
          error: {
            code: "validation",
            message: "rows.1.input.denomination: Too much. rows.1.input.member.email: Not an e-mail address.",
            requestId: "r-1",
            details: {
              fields: [
                { field: "rows.1.input.denomination", message: "Too much." },
                { field: "rows.1.input.member.email", message: "Not an e-mail address." },
              ],
            },
          },
        },
        { status: 422 },
      ),
  })
  await waitFor(() => expect(cell(1, 4)).toHaveTextContent("50"))
  await user.click(screen.getByRole("button", { name: "Use Trade Visa in row 2" }))
  await user.click(cell(1, 4))
  await user.keyboard("75{Enter}")
  const send = await screen.findByRole("button", { name: "Save and resume" })
  await waitFor(() => expect(send).toBeEnabled())
  await user.click(send)
  expect(await screen.findByText(/No row was saved\. The job is still paused\./)).toBeVisible()
  const notice = screen.getByRole("alert")
  expect(notice).toHaveTextContent("Row 3, Amount: Too much. Row 3, E-mail: Not an e-mail address.")
  expect(notice).not.toHaveTextContent("rows.")
  await waitFor(() => expect(cell(1, 4)).toBeInvalid())
  expect(cell(1, 4)).toHaveTextContent("Too much.")
  expect(resumed).toEqual([])
})

test("rows left out of a file are shown as typed, and only valid or confirmed ones are sent", async () => {
  const user = userEvent.setup()
  const left = (row: number, code: string, input: JobRow["input"]) =>
    madeUpRow(row, {
      state: "excluded",
      upstream_id: null,
      attempts: 0,
      input,
      outcome: { code, message: "Why." },
    })
  const world: JobWorld = {
    job: madeUpJob({ counts: { confirmed: 1, excluded: 2 } }),
    rows: [
      madeUpRow(1),
      left(2, "problem_in_file", { member_id: "mem_2", points: "12,5O", reason: "Bonus" }),
      left(3, "outlier_in_file", { member_id: "mem_3", points: 9000, reason: "Bonus" }),
    ],
  }
  let body: unknown
  renderApp("/jobs/J-1183", {
    ...jobServer(world),
    "POST /api/jobs/J-1183/retry": (request) => {
      body = request.body
      return world.job
    },
  })
  await user.click(await screen.findByRole("button", { name: "Fix 2 left-out rows" }))
  expect(await screen.findByRole("grid", { name: "Left-out rows" })).toBeVisible()
  await waitFor(() => expect(cell(0, 2)).toHaveTextContent("12,5O"))
  await user.click(cell(0, 2))
  await user.keyboard("125{Enter}")
  const send = await screen.findByRole("button", { name: "Send 1 row" })
  await waitFor(() => expect(send).toBeEnabled())
  await user.click(send)
  await waitFor(() =>
    expect(body).toEqual({ rows: [{ row: 2, input: { member_id: "mem_2", points: 125, reason: "Bonus" } }] }),
  )
})

const otherAmount = (row: number, input: object = {}) =>
  madeUpRow(row, {
    state: "excluded",
    upstream_id: null,
    attempts: 0,
    input: { member_id: `mem_${row}`, points: 150, reason: "Q3", reference: `INV-${row}`, ...input },
    outcome: {
      code: "other_amount",
      message: `100 awarded in J-1100 for INV-${row}. Nothing was sent for this row.`,
    },
  })

/** A job with three rows left out because another amount was awarded before; the last has no reference. */
function otherAmountJob(retry: (body: unknown) => unknown): Parameters<typeof renderApp>[1] {
  const world: JobWorld = {
    job: madeUpJob({ counts: { confirmed: 1, excluded: 3 } }),
    rows: [madeUpRow(1), otherAmount(2), otherAmount(3), otherAmount(4, { reference: undefined })],
  }
  return { ...jobServer(world), "POST /api/jobs/J-1183/retry": ({ body }) => retry(body) ?? world.job }
}

test("rows left out for another amount are sent by the choice made for each, and left out without one", async () => {
  const user = userEvent.setup()
  let sent: unknown
  renderApp(
    "/jobs/J-1183?open=fix-left-out",
    otherAmountJob((body) => void (sent = body)),
  )
  const choice = await screen.findByRole("combobox", { name: "What to do with row 2" })
  expect(choice).toHaveDisplayValue("Leave out")
  expect(screen.getByRole("button", { name: "Send 0 rows" })).toBeDisabled()
  const last = screen.getByRole("combobox", { name: "What to do with row 4" })
  expect(
    within(last)
      .getAllByRole("option")
      .map(({ textContent }) => textContent),
  ).toEqual(["Leave out", "Award as well"])
  await user.selectOptions(choice, "Award the difference")
  await user.selectOptions(last, "Award as well")
  await user.click(await screen.findByRole("button", { name: "Send 2 rows" }))
  await waitFor(() =>
    expect(sent).toMatchObject({
      rows: [
        { row: 2, input: { member_id: "mem_2", points: 150, reference: "INV-2", correction: "difference" } },
        { row: 4, input: { member_id: "mem_4", points: 150, correction: "as_well" } },
      ],
    }),
  )
})

test("one choice applies to all rows with another amount, and a refused one can be changed", async () => {
  const user = userEvent.setup()
  const bodies: unknown[] = []
  const refused = "100 awarded in J-1100 for INV-2. The difference of 20 can’t be deducted from this job."
  const details = { fields: [{ field: "rows.0.input.points", message: refused }] }
  const error = { code: "validation", message: refused, requestId: "r-1", details }
  renderApp(
    "/jobs/J-1183?open=fix-left-out",
    otherAmountJob((body) => {
      bodies.push(body)
      return bodies.length === 1 ? Response.json({ success: false, error }, { status: 422 }) : undefined
    }),
  )
  await screen.findByRole("combobox", { name: "What to do with row 2" })
  expect(screen.getByText("3 rows: another amount was awarded before")).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Award the difference" }))
  // A row without a reference has no difference.
  const send = await screen.findByRole("button", { name: "Send 2 rows" })
  expect(screen.getByRole("combobox", { name: "What to do with row 4" })).toHaveDisplayValue("Leave out")
  await user.click(send)
  expect(await screen.findByRole("alert")).toHaveTextContent(`Row 2, Points: ${refused}`)
  await user.selectOptions(
    await screen.findByRole("combobox", { name: "What to do with row 2" }),
    "Award as well",
  )
  await user.click(await screen.findByRole("button", { name: "Send 2 rows" }))
  await waitFor(() =>
    expect(bodies.at(-1)).toMatchObject({
      rows: [
        { row: 2, input: { correction: "as_well" } },
        { row: 3, input: { correction: "difference" } },
      ],
    }),
  )
})

test("a quantity above 99 in a failed redemption is confirmed once before it is sent again", async () => {
  const user = userEvent.setup()
  const redemption = (row: number, quantity: number) =>
    madeUpRow(row, {
      state: "failed",
      upstream_id: null,
      input: { member_id: `mem_${row}`, reward_id: "rew_1", quantity },
      outcome: { code: "not_found_there", message: "No such reward." },
    })
  const world: JobWorld = {
    job: madeUpJob({ kind: "redeem", counts: { failed: 2 } }),
    rows: [redemption(1, 2), redemption(2, 120)],
  }
  let sent: unknown
  renderApp("/jobs/J-1183?open=fix", {
    ...jobServer(world),
    "POST /api/jobs/J-1183/retry": ({ body }) => {
      sent = body
      return world.job
    },
  })
  // The second was confirmed when the job was created.
  expect(await screen.findByRole("button", { name: "Send 2 rows again" })).toBeEnabled()
  await user.click(cell(0, 3))
  await user.keyboard("150{Enter}")
  expect(await screen.findByText("Redeem 150 pieces?")).toBeVisible()
  expect(await screen.findByRole("button", { name: "Send 1 row again" })).toBeEnabled()
  await user.click(await screen.findByRole("button", { name: "Keep row 1" }))
  await user.click(await screen.findByRole("button", { name: "Send 2 rows again" }))
  await waitFor(() =>
    expect(sent).toMatchObject({ rows: [{ row: 1, input: { quantity: 150 } }, { row: 2 }] }),
  )
})

test("failed rows removed from the table are saved as left out", async () => {
  const user = userEvent.setup()
  const bodies: unknown[] = []
  renderApp("/jobs/J-1183?open=fix", {
    ...jobServer({ job, rows }),
    "POST /api/jobs/J-1183/retry": ({ body }) => {
      bodies.push(["retry", body])
      return job
    },
    "POST /api/jobs/J-1183/leave-out": ({ body }) => {
      bodies.push(["leave out", body])
      return job
    },
  })
  const table = within(await screen.findByRole("grid", { name: "Failed rows" }))
  await waitFor(() => expect(table.getAllByRole("button", { name: /^Leave row/ })[0]).toBeVisible())
  const [first] = table.getAllByRole("button", { name: /^Leave row/ })
  if (first !== undefined) await user.click(first)
  await user.click(await screen.findByRole("button", { name: "Send 1 row again, leave 1 out" }))
  await waitFor(() =>
    expect(bodies).toEqual([
      ["retry", { rows: [{ row: 3 }] }],
      ["leave out", { rows: [2] }],
    ]),
  )
})
