import { screen, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { expect, test } from "vitest"
import { renderApp } from "../../../tests/support/test-app.tsx"
import { jobServer } from "../../../tests/support/activity/job-server.ts"
import { madeUpJob } from "../../../tests/support/activity/made-up-job.ts"
import { fill } from "../../../tests/support/open-page.tsx"

const job = madeUpJob({ counts: { confirmed: 476, conflict: 324 }, attention: 324 })
const causes = [
  { code: "owner_unknown", message: "The server that sent it is not known to be over.", rows: 320 },
  { code: "no_canary", message: "The ledger may be late.", rows: 4 },
]

test("rows with one cause are decided with one choice, and the remaining ones are counted", async () => {
  const user = userEvent.setup()
  const sent: unknown[] = []
  renderApp("/jobs/J-1183", {
    ...jobServer({ job, rows: [] }),
    "GET /api/jobs/J-1183/causes": () => causes,
    "POST /api/jobs/J-1183/decisions": ({ body }) => {
      sent.push(body)
      const undecided = [{ message: "Several entries could be this row’s.", rows: sent.length }]
      return { job, decided: 100, undecided, unchecked: sent.length === 1 ? [7, 9] : [] }
    },
  })
  await user.click(await screen.findByRole("button", { name: "Decide together" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Decide rows together" }))
  await user.click(await dialog.findByRole("radio", { name: "320 rows" }))
  expect(dialog.getByRole("button", { name: "Choose what to do" })).toBeDisabled()
  await user.click(dialog.getByRole("radio", { name: "It happened" }))
  await fill(user, dialog.getByLabelText(/^Reason/), "Seen in the ledger")
  await user.click(dialog.getByRole("button", { name: "Link what fits of 320 rows" }))

  const result = within(await screen.findByRole("dialog", { name: "Decide rows together" }))
  expect(await result.findByText("100 rows decided")).toBeVisible()
  expect(result.getByText("1 row not decided")).toBeVisible()
  await user.click(result.getByRole("button", { name: "Check the other 2" }))
  expect(await result.findByText("200 rows decided")).toBeVisible()
  expect(result.getByText("3 rows not decided")).toBeVisible()
  expect(sent).toEqual([
    { cause: "owner_unknown", decision: "happened", reason: "Seen in the ledger" },
    { rows: [7, 9], decision: "happened", reason: "Seen in the ledger" },
  ])
})
