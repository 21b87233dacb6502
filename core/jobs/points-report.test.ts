import { expect, it } from "vitest"
import { createTestKit } from "../../tests/support/test-kit.ts"
import { madeUpJob, madeUpRow, makerOf } from "../../tests/support/made-up-jobs.ts"

/** An app whose store has confirmed rows: two awards of Ana's and one deduction of Ben's. */
async function kit() {
  const app = createTestKit()
  const { jobs } = app.store
  const confirm = async (
    kind: "award" | "deduct",
    maker: string,
    rows: Parameters<typeof madeUpRow>[0][],
  ) => {
    const made = await jobs.create(madeUpJob({ kind, createdBy: makerOf(maker) }), rows.map(madeUpRow))
    if (typeof made === "string") throw new Error(made)
    const confirmedAt = app.clock.now()
    for (const at of rows.keys()) {
      await jobs.changeRows(made.job.id, [
        { row: at + 1, from: ["planned"], set: { state: "sent" } },
        { row: at + 1, from: ["sent"], set: { state: "confirmed", confirmedAt } },
      ])
    }
  }
  await confirm("award", "ana", [{ points: 250 }, { points: 100, reason: "Referral" }])
  await confirm("deduct", "ben", [{ points: -40, reason: "Correction" }])
  return app
}

it("sums what our own jobs did, with everything in the last line", async () => {
  const { ask } = await kit()
  const total = { group: "total", awarded: 350, deducted: 40, awards: 2, deductions: 1 }
  const byPerson = await ask("GET /reports/points?by=person")
  expect(byPerson.body).toMatchObject({ data: { total } })
  expect(JSON.stringify(byPerson.body)).toMatch(/"group":"ana","awarded":350/)
  // Laurel's clock reads midnight UTC; it is mid-morning of the same day in Brisbane.
  const byMonth = await ask("GET /reports/points?by=month&from=2026-11-01T00:00:00Z")
  expect(byMonth.body).toMatchObject({ data: { rows: [{ group: "2026-11" }], total } })
  expect((await ask("GET /reports/points?to=2020-01-01T00:00:00Z")).body).toMatchObject({
    data: { rows: [], total: { group: "total", awarded: 0 } },
  })
})

it("follows the roles table and refuses what it does not know", async () => {
  const { ask } = createTestKit()
  expect((await ask("GET /reports/points", { role: "viewer" })).status).toBe(200)
  expect((await ask("GET /reports/points", { role: "fulfilment" })).status).toBe(403)
  expect((await ask("GET /reports/points?by=tier")).status).toBe(400)
})
