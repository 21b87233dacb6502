import { screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { expect, test } from "vitest"
import type { JobRow, RowEvidence } from "../../../contract/job-rows.ts"
import { renderApp } from "../../../tests/support/test-app.tsx"
import { jobServer } from "../../../tests/support/activity/job-server.ts"
import { madeUpJob, madeUpRow } from "../../../tests/support/activity/made-up-job.ts"

const panel = async () => within(await screen.findByRole("complementary", { name: "Row 1" }))

const evidenceOf = (row: JobRow): RowEvidence => ({
  row,
  call_ended: null,
  looked_at: ["2026-11-20T23:17:08Z"],
  balance: null,
  canary: "none",
  candidates: [],
  resend: { allowed: true, why_not: null },
})

const update = madeUpRow(1, {
  state: "conflict",
  input: { order_id: "ord_1", status: "shipped", tracking_number: "0091" },
  upstream_id: null,
  member: { id: null, label: "ord_1" },
  outcome: { code: "changed_there", message: "Somebody else changed this meanwhile." },
  conflict: {
    before: { status: "pending", tracking_number: null, carrier: null },
    theirs: { status: "cancelled", tracking_number: null, carrier: null },
    yours: { status: "shipped", tracking_number: "0091" },
  },
})

const job = madeUpJob({ kind: "order-update", points: null, counts: { conflict: 1 }, attention: 1 })

test("two changes of an order are shown side by side, and each choice says what it does", async () => {
  const user = userEvent.setup()
  let said: unknown
  renderApp("/jobs/J-1183?row=1", {
    ...jobServer({ job, rows: [update] }),
    "GET /api/jobs/J-1183/rows/1/candidates": () => evidenceOf(update),
    "POST /api/jobs/J-1183/rows/1/decision": ({ body }) => {
      said = body
      return update
    },
  })
  const shown = await panel()
  expect(await shown.findByRole("heading", { name: "Two changes of ord_1" })).toBeVisible()
  const status = await shown.findByRole("row", { name: /^Status/ })
  expect(
    within(status)
      .getAllByRole("cell")
      .map((cell) => cell.textContent),
  ).toEqual(["Pending", "Cancelledchanged", "Shipped"])
  expect(shown.queryByText(/Balance now|Ledger checked/)).not.toBeInTheDocument()
  expect(shown.getByRole("link", { name: "ord_1" })).toHaveAttribute("href", "/orders/ord_1")
  await user.click(shown.getByRole("radio", { name: /^Replace with ours/ }))
  await user.click(shown.getByRole("button", { name: "Replace with ours" }))
  await waitFor(() => expect(said).toEqual({ decision: "resend" }))
})

test("an order that changed again shows and announces it", async () => {
  const world = { job, rows: [update] }
  const message = "It was changed once more in the meantime."
  const again = { ...update, outcome: { code: "changed_again", message } }
  const { queryClient } = renderApp("/jobs/J-1183?row=1", {
    ...jobServer(world),
    "GET /api/jobs/J-1183/rows/1/candidates": () => evidenceOf(update),
  })
  const shown = await panel()
  expect(await shown.findByText("Somebody else changed this meanwhile.")).toBeVisible()
  expect(shown.queryByText(message)).not.toBeInTheDocument()
  world.rows = [again]
  await queryClient.invalidateQueries({ queryKey: ["job"] })
  expect((await shown.findByText(message)).closest("[role=status]")).toBeVisible()
})

test("an unproven redemption asks about the order and warns of a second one", async () => {
  const redeem = madeUpRow(1, {
    state: "absent",
    input: { member_id: "mem_1", reward_id: "rew_drill", quantity: 1 },
    upstream_id: null,
    member: { id: "mem_1", label: "Ana Silva" },
    outcome: { code: "order_unsure", message: "No answer came." },
  })
  renderApp("/jobs/J-1183?row=1", {
    ...jobServer({ job: madeUpJob({ kind: "redeem", counts: { absent: 1 }, attention: 1 }), rows: [redeem] }),
    "GET /api/jobs/J-1183/rows/1/candidates": () => evidenceOf(redeem),
  })
  const shown = await panel()
  expect(await shown.findByRole("heading", { name: "Was this redeemed for Ana Silva?" })).toBeVisible()
  expect(await shown.findByText("no order could be it")).toBeVisible()
  expect(shown.getByText("If it did happen, Ana Silva pays twice and there are two orders.")).toBeVisible()
})

test("a row that changed an order shows the change and links to the order", async () => {
  const done = { ...update, state: "confirmed" as const, outcome: null, upstream_id: "ord_1" }
  delete done.conflict
  renderApp("/jobs/J-1183?row=1", jobServer({ job: madeUpJob({ kind: "order-update" }), rows: [done] }))
  const shown = await panel()
  expect(await shown.findByText("Shipped, 0091")).toBeVisible()
  expect(shown.getByRole("link", { name: "ord_1" })).toHaveAttribute("href", "/orders/ord_1")
})
