import { screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { beforeEach, expect, test, vi } from "vitest"
import type { JobRow } from "../../../contract/job-rows.ts"
import { renderApp } from "../../../tests/support/test-app.tsx"
import { jobServer, type JobWorld } from "../../../tests/support/activity/job-server.ts"
import { madeUpJob, madeUpRow } from "../../../tests/support/activity/made-up-job.ts"

beforeEach(() => {
  // A window of 600 px with rows of 40: jsdom has no layout, so no row would be visible.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(40)
})

function cardRow(row: number, fields: Partial<JobRow> = {}): JobRow {
  return madeUpRow(row, {
    input: {
      member: { email: `p${row}@site.test`, firstname: "Person", lastname: `No${row}`, mobile: "0400" },
      denomination: 1000,
      cardId: "card_tradevisa",
    },
    member: { id: null, label: `Person No${row}` },
    upstream_id: null,
    ...fields,
  })
}

const failed = (row: number, code: string) =>
  cardRow(row, { state: "failed", outcome: { code, message: "It was refused before." } })

test("failed cards are corrected in place: recipient, amount, and a confirmation for a refused one", async () => {
  const user = userEvent.setup()
  const world: JobWorld = {
    job: madeUpJob({ kind: "giftcard", title: null, points: null, counts: { failed: 2 } }),
    rows: [failed(1, "pair_refused"), failed(2, "INVALID_ARGUMENT")],
  }
  let said: unknown
  renderApp("/jobs/J-1183?open=fix", {
    ...jobServer(world),
    "POST /api/jobs/J-1183/retry": ({ body }) => {
      said = body
      return (world.job = madeUpJob({ kind: "giftcard", points: null, counts: { planned: 2 } }))
    },
  })
  await screen.findByRole("grid", { name: "Failed rows" })
  const cell = (name: string) => document.querySelector<HTMLElement>(`[data-cell="${name}"]`)!
  await waitFor(() => expect(cell("1:1")).toHaveTextContent("p2@site.test"))
  expect(screen.queryByRole("button", { name: "Keep row 2" })).toBeNull()
  await user.click(screen.getByRole("button", { name: "Keep row 1" }))
  await user.click(cell("1:4"))
  await user.keyboard("12.345{Enter}")
  await waitFor(() => expect(cell("1:4")).toBeInvalid())
  await user.click(cell("1:4"))
  await user.keyboard("250{Enter}")
  await user.click(await screen.findByRole("button", { name: "Send 2 rows again" }))
  const member = (row: number) => world.rows[row - 1]?.input["member"]
  await waitFor(() => expect(said).toBeDefined())
  expect(said).toEqual({
    rows: [
      {
        row: 1,
        input: { member: member(1), denomination: 1000, cardId: "card_tradevisa", confirm_pair: true },
      },
      { row: 2, input: { member: member(2), denomination: 250, cardId: "card_tradevisa" } },
    ],
  })
})

test("a row that the service refuses is left out of a stopped job, and the rest resumes", async () => {
  const user = userEvent.setup()
  const world: JobWorld = {
    job: madeUpJob({
      kind: "giftcard",
      points: null,
      state: "paused",
      pause: { code: "SETUP_INCOMPLETE_CATALOGUE", message: "" },
      counts: { planned: 2 },
    }),
    rows: [cardRow(1, { state: "planned", attempts: 0 }), cardRow(2, { state: "planned", attempts: 0 })],
  }
  let said: unknown
  renderApp("/jobs/J-1183?row=1", {
    ...jobServer(world),
    "POST /api/jobs/J-1183/rows/1/decision": ({ body }) => {
      said = body
      const by = { id: "user-manager", name: "Priya Nair" }
      const left = cardRow(1, {
        state: "excluded",
        attempts: 0,
        outcome: { code: "left_out", message: "Somebody left this row out." },
        decision: { decision: "leave", upstream_id: null, at: "2026-11-21T00:00:00Z", by },
      })
      world.rows = [left, world.rows[1] ?? left]
      return left
    },
  })
  expect(await screen.findByText("The card has no catalogue")).toBeVisible()
  const panel = within(await screen.findByRole("complementary", { name: "Row 1" }))
  expect(await panel.findByText("$1,000.00")).toBeVisible()
  await user.click(await panel.findByRole("button", { name: "Leave row 1 out" }))
  expect(await panel.findAllByText("Left out")).toHaveLength(2)
  expect(said).toEqual({ decision: "leave" })
  expect(panel.queryByRole("button", { name: "Leave row 1 out" })).toBeNull()
})

test("an issued card links to its page", async () => {
  const world: JobWorld = {
    job: madeUpJob({ kind: "giftcard", title: null, points: null, counts: { confirmed: 1 } }),
    rows: [cardRow(1, { upstream_id: "gc_9" })],
  }
  renderApp("/jobs/J-1183?row=1", jobServer(world))
  const panel = within(await screen.findByRole("complementary", { name: "Row 1" }))
  expect(await panel.findByRole("link", { name: "gc_9" })).toHaveAttribute("href", "/cards/gc_9")
  expect(panel.getByText("p1@site.test")).toBeVisible()
  expect(screen.getByRole("heading", { level: 1, name: "1 gift card" })).toBeVisible()
})

test("a row with a used reference links to its card", async () => {
  const by = { card_id: "gc_old", registered: true, job: { id: "J-7", row: 3 } }
  const outcome = { code: "reference_taken", message: "This reference is used. No card was issued." }
  renderApp(
    "/jobs/J-1183?row=1",
    jobServer({
      job: madeUpJob({ kind: "giftcard", title: null, points: null, counts: { failed: 1 } }),
      rows: [cardRow(1, { state: "failed", outcome, taken_by: by })],
    }),
  )
  const link = await screen.findByRole("link", { name: "Open card gc_old" })
  expect(link).toHaveAttribute("href", "/cards/gc_old")
})
