import { afterAll, beforeAll, expect, test, vi } from "vitest"
import * as z from "zod/mini"
import { firstAmountLimits } from "../../contract/amount-limits.ts"
import { pauseCodes, job, type Job } from "../../contract/job.ts"
import { notices } from "../../contract/notices.ts"
import { newUser } from "../support/new-user.ts"
import { codeOf, dataOf, type Person } from "../support/person.ts"
import { startApp, type TestApp } from "../support/server.ts"

let app: TestApp
let admin: Person
let ids: string[]

beforeAll(async () => {
  app = await startApp({ env: { JOB_SETTLE_SECONDS: "1", JOB_RECHECK_SECONDS: "1" } })
  admin = await app.signIn("admin")
  const response = await admin.ask("/program/members?status=active&per_page=100")
  ids = dataOf(response, z.array(z.looseObject({ id: z.string() }))).map(({ id }) => id)
  // The first award of each job hangs, so the job stays running.
  app.sandbox.faults.add({ kind: "hang", match: { path: "/v1/points/award" } })
})
afterAll(() => app.close())

const post = (person: Person, path: string, body: unknown = {}) =>
  person.ask(path, { method: "POST", headers: { "Idempotency-Key": crypto.randomUUID() }, body })

async function started(person: Person): Promise<Job> {
  const rows = ids.slice(0, 40).map((member_id) => ({ member_id, points: 5, reason: "Bonus" }))
  const body = { kind: "award", rows, options: { mode: "single" } }
  return dataOf(await post(person, "/jobs", body), job)
}
const read = async (id: string) => dataOf(await admin.ask(`/jobs/${id}`), job)
const change = (id: string, body: object) => admin.ask(`/users/${id}`, { method: "PATCH", body })

test("disabling a user pauses their running jobs and notifies administrators, who resume them with one request", async () => {
  const { id, person } = await newUser(app.url, admin, "manager")
  const made = await started(person)
  expect(made.state).toBe("running")
  expect((await change(id, { disabled: true })).status).toBe(200)
  expect(await read(made.id)).toMatchObject({
    state: "paused",
    pause: { code: pauseCodes.makerLeft, message: "Sam Okafor was disabled." },
  })
  const unread = dataOf(await admin.ask("/notices"), notices)
  expect(unread).toContainEqual(
    expect.objectContaining({ kind: "paused", job: expect.objectContaining({ id: made.id }) }),
  )
  const resumed = dataOf(await post(admin, `/jobs/${made.id}/resume`), job)
  expect(resumed).toMatchObject({ state: "running", created_by: { id: admin.session.user.id } })
})

test("a manager resumes a demoted user's job with a reason and becomes its owner", async () => {
  const { id, person } = await newUser(app.url, admin, "manager")
  const made = await started(person)
  expect((await change(id, { role: "viewer" })).status).toBe(200)
  expect(await read(made.id)).toMatchObject({ state: "paused", pause: { code: pauseCodes.makerLeft } })
  const manager = await app.signIn("manager")
  const without = await post(manager, `/jobs/${made.id}/resume`)
  expect([without.status, codeOf(without)]).toEqual([422, "validation"])
  const resumed = await post(manager, `/jobs/${made.id}/resume`, { reason: "Approved by finance" })
  expect(dataOf(resumed, job)).toMatchObject({
    state: "running",
    created_by: { id: manager.session.user.id },
  })
})

test("retrying failed rows of a disabled user's job makes the retrying user its owner", async () => {
  const { id, person } = await newUser(app.url, admin, "manager")
  const rows = [1, 2].map((points) => ({ member_id: "mem_nobody", points, reason: "Bonus" }))
  const made = dataOf(await post(person, "/jobs", { kind: "deduct", rows }), job)
  await vi.waitFor(async () => expect((await read(made.id)).state).toBe("done"), { timeout: 80_000 })
  expect((await read(made.id)).counts.failed).toBe(2)
  expect((await change(id, { disabled: true })).status).toBe(200)
  const retried = dataOf(await post(admin, `/jobs/${made.id}/retry`, { reason: "Again" }), job)
  expect(retried.created_by).toMatchObject({ id: admin.session.user.id })
})

test("resending undecided rows of a disabled person’s done job makes the sender its owner, within their limits", async () => {
  const { id, person } = await newUser(app.url, admin, "manager")
  const match = { path: "/v1/points/deduct", times: 4 }
  const fault = app.sandbox.faults.add({ kind: "drop-before", match })
  const deduct = async (who: Person, members: string[], points: number) => {
    const rows = members.map((member_id) => ({ member_id, points, reason: "Adjustment" }))
    return dataOf(await post(who, "/jobs", { kind: "deduct", rows }), job)
  }
  const [one, other] = [await deduct(person, ids.slice(0, 2), 7), await deduct(person, ids.slice(2, 4), 7)]
  const until = async (made: Job, isSo: (now: Job) => boolean) =>
    vi.waitFor(async () => expect(isSo(await read(made.id))).toBe(true), { timeout: 80_000 })
  for (const made of [one, other])
    await until(made, ({ state, attention }) => state === "done" && attention === 2)
  app.sandbox.faults.remove(fault.id)
  expect((await change(id, { disabled: true })).status).toBe(200)

  const ways = [
    [one, `/jobs/${one.id}/rows/1/decision`, { decision: "resend", reason: "Not there" }],
    [other, `/jobs/${other.id}/decisions`, { rows: [1, 2], decision: "resend", reason: "Not there" }],
  ] as const
  const second = await newUser(app.url, admin, "admin")
  const mine = await deduct(second.person, ids.slice(4, 5), 3)
  await until(mine, ({ state }) => state === "done")
  const limit = (points_day: number) =>
    admin.ask("/settings/limits", {
      method: "PUT",
      body: { ...firstAmountLimits, points_row: 16, points_job: 16, points_day },
    })
  // The new owner has moved 3 today; this job’s 14 come on top of that.
  expect((await limit(16)).status).toBe(200)
  for (const [made, path, body] of ways) {
    const refused = await post(second.person, path, body)
    expect([refused.status, codeOf(refused)]).toEqual([422, "over_limit"])
    expect(JSON.stringify(refused.body)).toContain("13 points are left")
    expect(await read(made.id)).toMatchObject({ state: "done", attention: 2, created_by: { id } })
  }
  expect((await limit(1000)).status).toBe(200)
  for (const [made, path, body] of ways) {
    expect((await post(second.person, path, body)).status).toBe(200)
    expect(await read(made.id)).toMatchObject({ created_by: { id: second.id } })
  }
  await until(one, ({ counts }) => counts.confirmed === 1)
  await until(other, ({ counts }) => counts.confirmed === 2)
  expect((await admin.ask("/settings/limits", { method: "PUT", body: firstAmountLimits })).status).toBe(200)
})

test("a new role that may still send does not pause running jobs", async () => {
  const { id, person } = await newUser(app.url, admin, "admin")
  const made = await started(person)
  expect((await change(id, { role: "manager" })).status).toBe(200)
  expect((await read(made.id)).state).toBe("running")
})
