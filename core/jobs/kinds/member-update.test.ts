import { beforeEach, describe, expect, it } from "vitest"
import { job as jobSchema, reversal } from "../../../contract/job.ts"
import type { MemberRecord } from "../../../sandbox/store/records.ts"
import { digestAtOnce } from "../../../tests/faults/in-process.ts"
import { dataOf } from "../../../tests/faults/orders/data-of.ts"
import { createSandboxWorld, type SandboxWorld } from "../../../tests/faults/orders/sandbox-world.ts"
import { type judgeMember, traceInMember } from "./member-update.ts"

beforeEach(digestAtOnce)

const kind = "member-update"

/** One of the newest members, with known values. */
function someMember(world: SandboxWorld, at = 0, fields: Partial<MemberRecord> = {}): MemberRecord {
  const { members } = world.sandbox.store
  const id = members.idAt(members.count - 1 - at)
  change(world, id, { company: "Acme", phone: null, status: "active", ...fields })
  return memberOf(world, id)
}

function memberOf({ sandbox }: SandboxWorld, id: string): MemberRecord {
  const member = sandbox.store.members.get(id)
  if (member === undefined) throw new Error(`The sandbox has no member ${id}.`)
  return member
}

/** Changes a member from another app. */
function change(world: SandboxWorld, id: string, fields: Partial<MemberRecord>): void {
  world.sandbox.store.members.put({ ...memberOf(world, id), ...fields })
}

const patches = ({ sandbox }: SandboxWorld) =>
  sandbox.requests.entries
    .filter(({ method }) => method === "PATCH")
    .map(({ body }) => JSON.parse(body) as unknown)

describe("changes of members", () => {
  it("send changed fields only, and nothing if the member has the values already", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    const { id } = someMember(world)
    const row = { member_id: id, company: "Acme", phone: "0400 000 001", status: "inactive" }
    const first = await world.carryOut(app, { kind, rows: [row] })
    expect(first.rows[0]).toMatchObject({ state: "confirmed", attempts: 1, upstream_id: id })
    expect(patches(world)).toEqual([{ phone: "0400 000 001", status: "inactive" }])
    const again = await world.carryOut(app, { kind, rows: [row] })
    expect(again.rows[0]).toMatchObject({ state: "confirmed", attempts: 0 })
    expect(patches(world)).toHaveLength(1)
    expect(memberOf(world, id)).toMatchObject({ phone: "0400 000 001", status: "inactive" })
  })

  it("clear a field by an empty text, and leave fields as they are that the row doesn’t name", async () => {
    const world = createSandboxWorld()
    const { id, first_name } = someMember(world, 0, { phone: "0400 000 001", metadata: { region: "North" } })
    const { rows } = await world.carryOut(world.start(), { kind, rows: [{ member_id: id, company: "" }] })
    expect(rows[0]?.state).toBe("confirmed")
    expect(patches(world)).toEqual([{ company: "" }])
    expect(memberOf(world, id)).toMatchObject({
      first_name,
      phone: "0400 000 001",
      metadata: { region: "North" },
    })
  })

  it("find members by e-mail: a row whose e-mail no member or several members have fails", async () => {
    const world = createSandboxWorld()
    const [one, twin, other] = [0, 1, 2].map((at) => someMember(world, at))
    change(world, twin?.id ?? "", { email: other?.email ?? "" })
    const rows = [one?.email.toUpperCase(), "nobody@nowhere.example", other?.email].map((email) => ({
      email,
      company: "Northern Air",
    }))
    const end = await world.carryOut(world.start(), { kind, rows })
    expect(end.rows.map(({ state, outcome }) => [state, outcome?.code])).toEqual([
      ["confirmed", undefined],
      ["failed", "member_not_found"],
      ["failed", "member_ambiguous"],
    ])
    expect(patches(world)).toHaveLength(1)
    expect(memberOf(world, one?.id ?? "").company).toBe("Northern Air")
  })

  it("overwrite nothing that someone changed since: both values are shown, and a person may send it all the same", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    const { id } = someMember(world)
    const rows = [{ member_id: id, company: "Northern Air", expected: { company: "Acme" } }]
    change(world, id, { company: "Coastal" })
    const met = await world.carryOut(app, { kind, rows })
    expect(met.rows[0]).toMatchObject({
      state: "conflict",
      attempts: 0,
      outcome: { code: "changed_there" },
      conflict: {
        before: { company: "Acme" },
        theirs: { company: "Coastal" },
        yours: { company: "Northern Air" },
      },
    })
    expect(patches(world)).toEqual([])

    const row = `/jobs/${met.job.id}/rows/1`
    change(world, id, { company: "Southern" })
    await app.ask(`POST ${row}/decision`, { body: { decision: "resend" } })
    const again = await world.untilStill(app, met.job.id)
    expect(again.rows[0]).toMatchObject({
      state: "conflict",
      outcome: { code: "changed_again" },
      conflict: { theirs: { company: "Southern" } },
    })
    await app.ask(`POST ${row}/decision`, { body: { decision: "resend" } })
    const last = await world.untilStill(app, met.job.id)
    expect(last.rows[0]).toMatchObject({ state: "confirmed", attempts: 1 })
    expect(memberOf(world, id).company).toBe("Northern Air")
  })

  it("are not stopped by a change of a field that the row doesn’t change", async () => {
    const world = createSandboxWorld()
    const { id } = someMember(world)
    change(world, id, { phone: "0400 000 009" })
    const expected = { company: "Acme", phone: "0400 000 001" }
    const rows = [{ member_id: id, company: "Northern Air", expected }]
    const end = await world.carryOut(world.start(), { kind, rows })
    expect(end.rows[0]?.state).toBe("confirmed")
    expect(memberOf(world, id)).toMatchObject({ company: "Northern Air", phone: "0400 000 009" })
  })

  it("read each member right before its change, and see a change made after the start", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    const members = [0, 1, 2, 3, 4, 5, 6, 7].map((at) => someMember(world, at))
    world.sandbox.faults.add({ kind: "slow", ms: 700, match: { method: "GET", path: "/v1/members/*" } })
    const rows = members.map(({ id }) => ({
      member_id: id,
      company: "Northern Air",
      expected: { company: "Acme" },
    }))
    const going = world.carryOut(app, { kind, rows })
    await world.until("the first change", 60_000, () => patches(world)[0])
    change(world, members.at(-1)?.id ?? "", { company: "Coastal" })
    const { job } = await going
    expect(job.counts).toMatchObject({ confirmed: 7, conflict: 1 })
    expect(memberOf(world, members.at(-1)?.id ?? "").company).toBe("Coastal")
  })

  it("whose response is lost are confirmed by reading the member, and sent again if nothing changed", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    const [done, lost] = [someMember(world, 0), someMember(world, 1)]
    const patch = (id: string) => ({ method: "PATCH", path: `/v1/members/${id}`, times: 1 })
    world.sandbox.faults.add({ kind: "drop-after", match: patch(done.id) })
    world.sandbox.faults.add({ kind: "drop-before", match: patch(lost.id) })
    const rows = [done, lost].map(({ id }) => ({ member_id: id, company: "Northern Air" }))
    const end = await world.carryOut(app, { kind, rows })
    expect(end.rows).toMatchObject([
      { state: "confirmed", attempts: 1, known_by: "look" },
      { state: "confirmed", attempts: 2 },
    ])
    expect(patches(world)).toHaveLength(3)
    expect([done, lost].map(({ id }) => memberOf(world, id).company)).toEqual([
      "Northern Air",
      "Northern Air",
    ])
  })

  it("are left to a person if someone changed the field after a lost response", async () => {
    const world = createSandboxWorld()
    const { id } = someMember(world)
    world.sandbox.faults.add({ kind: "drop-before", match: { method: "PATCH", times: 1 } })
    const going = world.carryOut(world.start(), { kind, rows: [{ member_id: id, company: "Northern Air" }] })
    await world.until("it to be sent", 10_000, () => patches(world)[0])
    change(world, id, { company: "Coastal" })
    const { rows } = await going
    expect(rows[0]).toMatchObject({
      state: "conflict",
      conflict: { before: { company: "Acme" }, theirs: { company: "Coastal" } },
    })
    expect(memberOf(world, id).company).toBe("Coastal")
  })

  it("fail for an unknown id, and are refused without a field, with both names or with an invalid id", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    const missing = await world.carryOut(app, { kind, rows: [{ member_id: "mem_none", company: "X" }] })
    expect(missing.rows[0]).toMatchObject({ state: "failed", outcome: { code: "not_found_there" } })
    for (const row of [
      { member_id: "mem_1" },
      { company: "X" },
      { member_id: "mem_1", email: "a@b.example", company: "X" },
      { member_id: "..", company: "X" },
      { member_id: "mem_1", first_name: "" },
      { member_id: "mem_1", status: "pending" },
      { member_id: "mem_1", email_address: "a@b.example", company: "X" },
    ]) {
      expect((await app.ask("POST /jobs", { body: { kind, rows: [row] } })).status).toBe(422)
    }
  })

  it("hide private fields from viewers, in the row and in its conflict", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    const { id } = someMember(world, 0, { phone: "0400 000 001" })
    const changed = { phone: "0400 000 002", company: "Northern Air" }
    const rows = [{ member_id: id, ...changed, expected: { phone: "0400 000 009", company: "Acme" } }]
    const { job } = await world.carryOut(app, { kind, rows })
    const seen = await app.ask(`GET /jobs/${job.id}/rows`, { role: "viewer" })
    expect(seen.status).toBe(200)
    expect(JSON.stringify(seen.body)).not.toContain("0400")
    expect(seen.body).toMatchObject({
      data: [{ input: { company: "Northern Air" }, conflict: { theirs: { company: "Acme" } } }],
    })
    for (const role of ["viewer", "fulfilment"] as const)
      expect((await app.ask("POST /jobs", { role, body: { kind, rows } })).status).toBe(403)
  })
})

describe("undoing changes of members", () => {
  const undo = async (world: SandboxWorld, app: ReturnType<SandboxWorld["start"]>, id: string) => {
    const made = dataOf(await app.ask(`POST /jobs/${id}/reverse`, { body: {} }), 201, jobSchema)
    return world.untilStill(app, made.id)
  }

  it("restores the values from before in another job, once", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    const members = [someMember(world, 0), someMember(world, 1), someMember(world, 2, { company: "New" })]
    const rows = members.map(({ id }) => ({ member_id: id, company: "New", status: "inactive" }))
    const { job } = await world.carryOut(app, { kind, rows, options: { title: "Leavers" } })
    const preview = dataOf(await app.ask(`GET /jobs/${job.id}/reversal`), 200, reversal)
    expect(preview).toMatchObject({ rows: 3, open: true, why_not: null })
    const undone = await undo(world, app, job.id)
    expect(undone.job).toMatchObject({
      kind,
      title: "Undo of Leavers",
      reverses: job.id,
      counts: { confirmed: 3 },
    })
    expect(members.map(({ id }) => memberOf(world, id))).toMatchObject([
      { company: "Acme", status: "active" },
      { company: "Acme", status: "active" },
      { company: "New", status: "active" },
    ])
    // Only what was changed is sent back.
    expect(patches(world).at(-1)).toEqual({ status: "active" })
    expect(dataOf(await app.ask(`GET /jobs/${job.id}`), 200, jobSchema).reversed_by).toEqual([undone.job.id])
    const again = await app.ask(`POST /jobs/${job.id}/reverse`, { body: {} })
    expect(again).toMatchObject({ status: 409, body: { error: { code: "conflict" } } })
  })

  it("overwrites nothing that someone changed after the job", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    const { id } = someMember(world)
    const { job } = await world.carryOut(app, { kind, rows: [{ member_id: id, company: "New" }] })
    change(world, id, { company: "Coastal" })
    const { rows } = await undo(world, app, job.id)
    expect(rows[0]).toMatchObject({
      state: "conflict",
      conflict: { before: { company: "New" }, theirs: { company: "Coastal" }, yours: { company: "Acme" } },
    })
    expect(memberOf(world, id).company).toBe("Coastal")
  })

  it("restores what a change without a response did, also when its repeat found it done", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    const { id } = someMember(world)
    world.sandbox.faults.add({ kind: "drop-after", match: { method: "PATCH", times: 1 } })
    const { job } = await world.carryOut(app, { kind, rows: [{ member_id: id, company: "New" }] })
    await undo(world, app, job.id)
    expect(memberOf(world, id).company).toBe("Acme")
  })

  it("leaves out rows that changed nothing, and values that no member can be set to", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    const [same, pending] = [someMember(world, 0), someMember(world, 1, { status: "pending" })]
    const rows = [
      { member_id: same.id, company: "Acme" },
      { member_id: pending.id, status: "inactive", company: "New" },
    ]
    const { job } = await world.carryOut(app, { kind, rows })
    const undone = await undo(world, app, job.id)
    expect(undone.rows).toMatchObject([{ input: { member_id: pending.id, company: "Acme" } }])
    expect(memberOf(world, pending.id)).toMatchObject({ company: "Acme", status: "inactive" })
  })

  it("needs the permission to change members", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    const { id } = someMember(world)
    const { job } = await world.carryOut(app, { kind, rows: [{ member_id: id, company: "New" }] })
    for (const role of ["viewer", "fulfilment"] as const)
      expect((await app.ask(`POST /jobs/${job.id}/reverse`, { role, body: {} })).status).toBe(403)
    expect(memberOf(world, id).company).toBe("New")
  })
})

type Values = Parameters<typeof judgeMember>[0]["now"]

describe("comparing a member before a change", () => {
  it("after a change without a response is done at the target, and not done where nothing was applied", () => {
    const base = { company: "Acme", status: "active" }
    const send = { company: "New", status: "inactive" }
    const trace = (now: Values) => traceInMember({ base, send, wanted: send, now })
    expect(trace(send)).toBe("done")
    expect(trace(base)).toBe("not_done")
    expect(trace({ ...base, company: "Coastal" })).toBe("changed")
    expect(trace({ company: "New" })).toBe("untold")
  })
})
