import { screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { expect, test } from "vitest"
import { refusal, renderDesk } from "../../../shell/test-desk.tsx"
import { jobServer, type JobWorld } from "../testing/job-server.ts"
import { madeUpJob, madeUpRow } from "../testing/made-up-job.ts"

const job = madeUpJob({ counts: { confirmed: 1, failed: 2 } })
const failed = (row: number) =>
  madeUpRow(row, {
    state: "failed",
    upstream_id: null,
    outcome: {
      code: "not_found_there",
      message: "The member doesn’t exist at the service. Nothing was sent.",
    },
  })
const rows = [madeUpRow(1), failed(2), failed(3)]

test("failed rows are mended in place and sent again: three clicks, one of them into the cell", async () => {
  const user = userEvent.setup()
  const world: JobWorld = { job, rows }
  let said: unknown
  const { router } = renderDesk("/jobs/J-1183", {
    ...jobServer(world),
    "POST /api/jobs/J-1183/retry": ({ body }) => {
      said = body
      world.job = madeUpJob({ state: "running", counts: { confirmed: 1, planned: 2 } })
      return world.job
    },
  })
  await user.click(await screen.findByRole("button", { name: "Fix 2 failed rows" }))
  const table = within(await screen.findByRole("table", { name: "Failed rows" }))
  expect(table.getAllByText("The member doesn’t exist at the service. Nothing was sent.")).toHaveLength(2)
  await user.tripleClick(table.getByRole("textbox", { name: "Member id or e-mail, row 2" }))
  await user.keyboard("ana@example.test")
  await user.click(screen.getByRole("button", { name: "Send 2 rows again" }))
  await waitFor(() => expect(router.state.location.searchStr).toBe(""))
  expect(said).toEqual({
    rows: [
      { row: 2, input: { email: "ana@example.test", points: 750, reason: "Q3 installer bonus" } },
      { row: 3 },
    ],
  })
})

test("a row can be left out, and a cell that cannot be right stops the sending and says why", async () => {
  const user = userEvent.setup()
  const { requests } = renderDesk("/jobs/J-1183?open=fix", {
    ...jobServer({ job, rows }),
    "POST /api/jobs/J-1183/retry": () => refusal(409, "conflict"),
  })
  await user.click(await screen.findByRole("checkbox", { name: "Send row 3 again" }))
  const points = screen.getByRole("textbox", { name: "Points, row 2" })
  await user.clear(points)
  await user.click(screen.getByRole("button", { name: "Send 1 row again" }))
  expect(points).toBeInvalid()
  expect(requests.filter((line) => line.startsWith("POST"))).toEqual([])
  await user.type(points, "900")
  await user.click(screen.getByRole("button", { name: "Send 1 row again" }))
  expect(await screen.findByText(/No row was sent again\./)).toBeVisible()
  expect(points).toHaveValue("900")
})

test("nothing failed any more: there is nothing to mend", async () => {
  renderDesk("/jobs/J-1183?open=fix", jobServer({ job, rows: [madeUpRow(1)] }))
  expect(await screen.findByText("No failed rows")).toBeVisible()
})
