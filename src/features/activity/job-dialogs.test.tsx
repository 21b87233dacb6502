import { screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { expect, test } from "vitest"
import type { Reversal } from "../../../contract/job.ts"
import { refusal, renderApp } from "../../../tests/support/test-app.tsx"
import { jobServer } from "../../../tests/support/activity/job-server.ts"
import { madeUpJob } from "../../../tests/support/activity/made-up-job.ts"
import { fill } from "../../../tests/support/open-page.tsx"

const job = madeUpJob({ counts: { confirmed: 500 } })
const made = madeUpJob({ id: "J-1190", title: null, kind: "deduct", reverses: "J-1183", state: "running" })
const reversal: Reversal = {
  rows: 500,
  members: 498,
  first_members: [
    { member_id: "mem_1", label: "Ana Silva" },
    { member_id: "mem_3", label: "Marcus Webb" },
    { member_id: "mem_9", label: null },
  ],
  ledger_reason: "Correction: Q3 installer bonus",
  ledger_reasons: 2,
  check_requests: 40,
  points: 486_250,
  corrected: 0,
  undecided: 0,
  open: true,
  why_not: null,
  checked: true,
  short: [
    { rows: [3, 5], member_id: "mem_3", label: "Marcus Webb", points: 750, balance: 20 },
    { rows: [9], member_id: "mem_9", label: null, points: 900, balance: 610 },
  ],
}

function server(answer: Partial<Reversal> = {}) {
  return {
    ...jobServer({ job, rows: [] }),
    ...jobServerOf("J-1190"),
    "GET /api/jobs/J-1183/reversal": ({ query }: { query: URLSearchParams }) => ({
      ...reversal,
      ...(query.get("balances") === "read" ? {} : { checked: false, short: [] }),
      ...answer,
    }),
    "POST /api/members/names": () => ({
      names: [{ id: "mem_9", name: "Noor Rahman" }],
      missing: [],
      coming: [],
    }),
  }
}

function jobServerOf(id: string) {
  const { "GET /api/session": _session, ...rest } = jobServer({ job: { ...made, id }, rows: [] })
  return rest
}

test("reversal shows members and cost before reading balances, and leaves out members who are short", async () => {
  const user = userEvent.setup()
  const said: { body: unknown; key: string | null }[] = []
  const { router } = renderApp("/jobs/J-1183", {
    ...server(),
    "POST /api/jobs/J-1183/reverse": ({ body, headers }) => {
      said.push({ body, key: headers.get("Idempotency-Key") })
      return Response.json({ success: true, data: made }, { status: 201 })
    },
  })
  await user.click(await screen.findByRole("button", { name: "Reverse" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Reverse these awards?" }))
  expect(
    await dialog.findByRole("button", { name: "Reverse 486,250 points from 498 members" }),
  ).toBeDisabled()
  expect(
    await dialog.findByText(/Members: Ana Silva, Marcus Webb, Noor Rahman and 495 others\./),
  ).toBeVisible()
  expect(dialog.getByText(/500 awards to 498 members/)).toHaveTextContent("about 10 min")
  expect(dialog.getByText(/Checking takes about 40 s/)).toBeVisible()
  const ledgerReason = dialog.getByRole("textbox", { name: "Members will see" })
  // The first award's reason can be chosen for all, so it is not there before.
  expect(ledgerReason).toHaveValue("")
  expect(ledgerReason).toHaveAttribute("placeholder", "Each award’s own reason")
  expect(ledgerReason).toHaveAccessibleDescription(/2 different reasons.*A batch code follows it\.$/)
  await fill(user, ledgerReason, "Correction: Q3 installer bonus")
  expect(ledgerReason).toHaveAccessibleDescription("A batch code follows it.")
  await user.click(dialog.getByRole("button", { name: "Check balances" }))
  expect(await dialog.findByText("Noor Rahman")).toBeVisible()
  const short = dialog.getAllByRole("row").slice(1)
  expect(short.map((row) => row.textContent)).toEqual(["Marcus Webb75020", "Noor Rahman900610"])
  expect(dialog.getByRole("switch", { name: /Leave out the 2 members/ })).toHaveFocus()
  await user.keyboard(" ")
  expect(dialog.getByText(/497 awards to 496 members/)).toHaveTextContent(
    "Members: Ana Silva and 495 others.",
  )
  expect(dialog.getByRole("button", { name: /^Reverse 484,600/ })).toBeDisabled()
  await fill(user, dialog.getByLabelText(/^Reason/), "Wrong file")
  await user.click(dialog.getByRole("button", { name: "Reverse 484,600 points from 496 members" }))
  expect(await screen.findByRole("heading", { name: "Reversal of J-1183" })).toBeVisible()
  expect(router.state.location.pathname).toBe("/jobs/J-1190")
  expect(screen.getByRole("link", { name: "J-1183" })).toHaveAttribute("href", "/jobs/J-1183")
  expect(said).toEqual([
    {
      body: {
        reason: "Wrong file",
        leave_out: [3, 5, 9],
        ledger_reason: "Correction: Q3 installer bonus",
      },
      key: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown,
    },
  ])
})

test("reversal of corrected awards shows that only the remaining points are deducted", async () => {
  renderApp("/jobs/J-1183?open=reverse", server({ corrected: 2 }))
  expect(await screen.findByText(/^2 awards were corrected by a deduction\. Only what is left/)).toBeVisible()
})

test("reversal retried without a response sends the same key", async () => {
  const user = userEvent.setup()
  const keys: (string | null)[] = []
  renderApp("/jobs/J-1183?open=reverse", {
    ...server({ short: [] }),
    "POST /api/jobs/J-1183/reverse": ({ headers }) => {
      keys.push(headers.get("Idempotency-Key"))
      return keys.length === 1 ? refusal(503, "store_unavailable") : made
    },
  })
  const button = await screen.findByRole("button", { name: /^Reverse 486,250/ })
  await fill(user, screen.getByLabelText(/^Reason/), "Wrong file")
  await user.click(button)
  expect(await screen.findByText(/Nothing was reversed\./)).toBeVisible()
  await user.click(button)
  await waitFor(() => expect(keys).toHaveLength(2))
  expect(keys[0]).toBe(keys[1])
})

test("reversal is disabled with the reason while rows are still in flight", async () => {
  renderApp("/jobs/J-1183?open=reverse", server({ open: false, why_not: "4 rows are still under way." }))
  expect(await screen.findByText("4 rows are still under way.")).toBeVisible()
  expect(screen.getByRole("button", { name: "Reverse the awards" })).toBeDisabled()
})

test("reversal warns about unread balances and undecided rows", async () => {
  renderApp("/jobs/J-1183?open=reverse", server({ short: [], checked: false, undecided: 2 }))
  expect(await screen.findByText("Balances weren’t checked")).toBeVisible()
  expect(screen.getByText("2 rows still need a decision")).toBeVisible()
})

test("a reverse link of a job without awards explains itself and reads nothing", async () => {
  const redeem = { ...job, kind: "redeem" } as const
  renderApp("/jobs/J-1183?open=reverse", jobServer({ job: redeem, rows: [] }))
  expect(await screen.findByText("Only awards can be reversed")).toBeVisible()
  expect(screen.getByRole("button", { name: "Reverse the awards" })).toBeDisabled()
})
