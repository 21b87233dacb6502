import { beforeEach, expect, test } from "vitest"
import * as z from "zod/mini"
import { auditEntry } from "../../contract/audit.ts"
import type { Job } from "../../contract/job.ts"
import { decisionCause, groupDecisionResult } from "../../contract/job-rows.ts"
import type { Role } from "../../contract/roles.ts"
import { demoKey } from "../../sandbox/config.ts"
import { digestAtOnce, type Process } from "../../tests/faults/in-process.ts"
import { dataOf } from "../../tests/faults/orders/data-of.ts"
import { createSandboxWorld, type SandboxWorld } from "../../tests/faults/orders/sandbox-world.ts"

let world: SandboxWorld
let app: Process
beforeEach(() => {
  digestAtOnce()
  world = createSandboxWorld()
  app = world.start()
  return () => app.app.stop()
})

const decide = (id: string, body: object, role: Role = "manager") =>
  app.ask(`POST /jobs/${id}/decisions`, { role, body })
const decided = async (id: string, body: object) => dataOf(await decide(id, body), 200, groupDecisionResult)
const causesOf = async (id: string) =>
  dataOf(await app.ask(`GET /jobs/${id}/causes`), 200, z.array(decisionCause))

/** A deduct job whose calls had no effect, which Laurel cannot know. */
async function undecidedJob(total: number): Promise<Job> {
  const fault = world.sandbox.faults.add({
    kind: "drop-before",
    match: { path: "/v1/points/deduct", times: total },
  })
  const active = world.sandbox.store.members.page({ status: "active" }, 0, 100).rows
  const rows = active
    .filter(({ balance }) => balance > 100)
    .slice(0, total)
    .map(({ id: member_id }) => ({ member_id, points: 7, reason: "Adjustment" }))
  const { job } = await world.carryOut(app, { kind: "deduct", rows }, { role: "manager" })
  expect(job).toMatchObject({ state: "done", attention: total })
  world.sandbox.faults.remove(fault.id)
  return job
}

test("rows with the same cause are left together, with one reason and one audit entry", async () => {
  const { id } = await undecidedJob(3)
  const [cause] = await causesOf(id)
  expect(cause).toMatchObject({ rows: 3, message: expect.any(String) })
  const reason = "Checked with finance"
  expect(await decided(id, { cause: cause?.code, decision: "leave", reason })).toMatchObject({
    decided: 3,
    undecided: [],
    unchecked: [],
    job: { attention: 0 },
  })
  expect(await causesOf(id)).toEqual([])
  const log = await app.ask(`GET /audit?action=job.decide&id=${id}`)
  expect(dataOf(log, 200, z.array(auditEntry))).toMatchObject([
    {
      note: reason,
      changes: [
        { field: "decision", to: "leave" },
        { field: "cause", to: cause?.code },
        { field: "rows", to: "3" },
      ],
    },
  ])
  const rows = await world.rowsOf(id)
  expect(rows.map(({ decision }) => decision?.decision)).toEqual(["leave", "leave", "leave"])
})

test("rows are looked up again together, and resent together", async () => {
  const { id } = await undecidedJob(2)
  const [cause] = await causesOf(id)
  const lookedUp = await decided(id, { cause: cause?.code, decision: "lookup", reason: "Try again" })
  expect(lookedUp).toMatchObject({ decided: 2, job: { state: "running", counts: { unknown: 2 } } })
  expect((await world.untilStill(app, id)).job.attention).toBe(2)
  const resend = { rows: [1, 2, 99], decision: "resend", reason: "Not there" }
  expect(await decided(id, resend)).toMatchObject({ decided: 2, undecided: [{ rows: 1 }] })
  expect((await world.untilStill(app, id)).job.counts.confirmed).toBe(2)
  expect(await decided(id, resend)).toMatchObject({ decided: 0, undecided: [{ rows: 3 }] })
})

test("the decision 'happened' links only rows with exactly one unclaimed candidate", async () => {
  const { id } = await undecidedJob(3)
  const [first, second] = await world.rowsOf(id)
  // The first row has one candidate, the second has two, the third has none.
  for (const member_id of [first?.memberId, second?.memberId, second?.memberId]) {
    const response = await world.sandbox.fetch(
      new Request("http://sandbox.test/v1/points/deduct", {
        method: "POST",
        headers: { Authorization: `Bearer ${demoKey}`, "Content-Type": "application/json" },
        body: JSON.stringify({ member_id, points: 7, reason: "By hand" }),
      }),
    )
    expect(response.ok).toBe(true)
  }
  const [cause] = await causesOf(id)
  const end = await decided(id, { cause: cause?.code, decision: "happened", reason: "Seen there" })
  expect(end).toMatchObject({ decided: 1, unchecked: [], job: { attention: 2 } })
  expect(end.undecided.map(({ rows }) => rows)).toEqual([1, 1])
  const rows = await world.rowsOf(id)
  expect(rows[0]).toMatchObject({ decision: { decision: "happened", upstream_id: expect.any(String) } })
  expect(rows[1]?.decision ?? null).toBeNull()
})

test("a group decision needs either a cause or rows, and permission to control the job", async () => {
  const { id } = await undecidedJob(1)
  expect((await decide(id, { rows: [1], decision: "leave" }, "viewer")).status).toBe(403)
  const both = { rows: [1], cause: "no_canary", decision: "leave" }
  expect((await decide(id, both)).status).toBe(422)
})
