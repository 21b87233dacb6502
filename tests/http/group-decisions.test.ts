import { afterAll, beforeAll, expect, test, vi } from "vitest"
import * as z from "zod/mini"
import { auditEntry } from "../../contract/audit.ts"
import { job, type Job } from "../../contract/job.ts"
import { decisionCause, groupDecisionResult, jobRow } from "../../contract/job-rows.ts"
import { demoKey } from "../../sandbox/config.ts"
import { codeOf, dataOf, type Person } from "../support/person.ts"
import { startApp, type TestApp } from "../support/server.ts"

const member = z.looseObject({ id: z.string(), points_balance: z.int() })

let app: TestApp
let manager: Person
let members: z.output<typeof member>[]

beforeAll(async () => {
  app = await startApp({ env: { JOB_SETTLE_SECONDS: "1", JOB_RECHECK_SECONDS: "1" } })
  manager = await app.signIn("manager")
  const response = await manager.ask("/program/members?status=active&per_page=100")
  members = dataOf(response, z.array(member)).filter(({ points_balance }) => points_balance > 100)
})
afterAll(() => app.close())

const post = (person: Person, path: string, body: unknown) =>
  person.ask(path, { method: "POST", headers: { "Idempotency-Key": crypto.randomUUID() }, body })
const read = async (id: string) => dataOf(await manager.ask(`/jobs/${id}`), job)
const causesOf = async ({ id }: Job) =>
  dataOf(await manager.ask(`/jobs/${id}/causes`), z.array(decisionCause))
const decide = async ({ id }: Job, body: object) =>
  dataOf(await post(manager, `/jobs/${id}/decisions`, body), groupDecisionResult)

/** A deduct job whose calls had no effect, which Laurel cannot know. */
async function undecidedJob(total: number): Promise<Job> {
  const match = { path: "/v1/points/deduct", times: total }
  const fault = app.sandbox.faults.add({ kind: "drop-before", match })
  const rows = members.splice(0, total).map(({ id }) => ({ member_id: id, points: 7, reason: "Adjustment" }))
  const made = dataOf(await post(manager, "/jobs", { kind: "deduct", rows }), job)
  const ended = await vi.waitFor(
    async () => {
      const now = await read(made.id)
      expect(now.state).toBe("done")
      return now
    },
    { timeout: 80_000 },
  )
  app.sandbox.faults.remove(fault.id)
  return ended
}

test("rows with the same cause are left together, with one reason and one audit entry", async () => {
  const made = await undecidedJob(3)
  const [cause] = await causesOf(made)
  expect(cause).toMatchObject({ rows: 3, message: expect.any(String) })
  const reason = "Checked with finance"
  const decided = await decide(made, { cause: cause?.code, decision: "leave", reason })
  expect(decided).toMatchObject({ decided: 3, undecided: [], unchecked: [], job: { attention: 0 } })
  expect(await causesOf(made)).toEqual([])
  const log = await manager.ask(`/audit?action=job.decide&id=${made.id}`)
  expect(dataOf(log, z.array(auditEntry))).toMatchObject([
    {
      note: reason,
      changes: [
        { field: "decision", to: "leave" },
        { field: "cause", to: cause?.code },
        { field: "rows", to: "3" },
      ],
    },
  ])
  const rows = dataOf(await manager.ask(`/jobs/${made.id}/rows`), z.array(jobRow))
  expect(rows.map(({ decision }) => decision?.decision)).toEqual(["leave", "leave", "leave"])
})

test("rows are looked up again together, and resent together", async () => {
  const made = await undecidedJob(2)
  const [cause] = await causesOf(made)
  const lookedUp = await decide(made, { cause: cause?.code, decision: "lookup", reason: "Try again" })
  expect(lookedUp).toMatchObject({ decided: 2, job: { state: "running", counts: { unknown: 2 } } })
  await vi.waitFor(async () => expect((await read(made.id)).attention).toBe(2), { timeout: 80_000 })
  const resend = () => decide(made, { rows: [1, 2, 99], decision: "resend", reason: "Not there" })
  const sent = await resend()
  expect(sent).toMatchObject({ decided: 2, undecided: [{ rows: 1 }] })
  await vi.waitFor(async () => expect((await read(made.id)).counts.confirmed).toBe(2), { timeout: 80_000 })
  expect(await resend()).toMatchObject({ decided: 0, undecided: [{ rows: 3 }] })
})

test("the decision 'happened' links only rows with exactly one unclaimed candidate", async () => {
  const made = await undecidedJob(3)
  const rows = dataOf(await manager.ask(`/jobs/${made.id}/rows`), z.array(jobRow))
  // The first row has one candidate, the second has two, the third has none.
  for (const at of [0, 1, 1]) {
    const entry = { member_id: rows[at]?.member?.id ?? "", points: 7, reason: "By hand" }
    const answer = await deductElsewhere(entry)
    expect(answer).toBe(true)
  }
  const [cause] = await causesOf(made)
  const decided = await decide(made, { cause: cause?.code, decision: "happened", reason: "Seen there" })
  expect(decided).toMatchObject({ decided: 1, unchecked: [], job: { attention: 2 } })
  expect(decided.undecided.map(({ rows }) => rows)).toEqual([1, 1])
  const after = dataOf(await manager.ask(`/jobs/${made.id}/rows`), z.array(jobRow))
  expect(after[0]).toMatchObject({ decision: { decision: "happened", upstream_id: expect.any(String) } })
  expect(after[1]?.decision).toBeUndefined()
})

/** Makes a deduction past Laurel. */
async function deductElsewhere(body: {
  member_id: string
  points: number
  reason: string
}): Promise<boolean> {
  const response = await app.sandbox.fetch(
    new Request("http://sandbox.test/v1/points/deduct", {
      method: "POST",
      headers: { Authorization: `Bearer ${demoKey}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  )
  return response.ok
}

test("a group decision needs either a cause or rows, and permission to control the job", async () => {
  const made = await undecidedJob(1)
  const viewer = await app.signIn("viewer")
  const refused = await post(viewer, `/jobs/${made.id}/decisions`, { rows: [1], decision: "leave" })
  expect([refused.status, codeOf(refused)]).toEqual([403, "forbidden"])
  const both = await post(manager, `/jobs/${made.id}/decisions`, {
    rows: [1],
    cause: "no_control",
    decision: "leave",
  })
  expect(both.status).toBe(422)
})
