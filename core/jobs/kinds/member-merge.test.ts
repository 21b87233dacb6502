import { beforeEach, describe, expect, it } from "vitest"
import { rowEvidence } from "../../../contract/job-rows.ts"
import { memberMergeView } from "../../../contract/kinds/member-merge.ts"
import { countedRecord } from "../../../tests/faults/counted-job.ts"
import { faultMix } from "../../../tests/faults/fault-mix.ts"
import { fiveCounts } from "../../../tests/faults/five-counts.ts"
import { digestAtOnce, type Process, worldTimes } from "../../../tests/faults/in-process.ts"
import { memberIds } from "../../../tests/faults/made-up-rows.ts"
import { dataOf } from "../../../tests/faults/orders/data-of.ts"
import { createSandboxWorld, type SandboxWorld } from "../../../tests/faults/orders/sandbox-world.ts"

beforeEach(digestAtOnce)

/** Two active members; the first has 500 points. */
function start(points = 500) {
  const world = createSandboxWorld({ members: 20 })
  const [old = "", other = ""] = memberIds(world.sandbox, 20).filter(
    (id) => memberOf(world, id) !== undefined,
  )
  for (const [id, balance] of [
    [old, points],
    [other, 100],
  ] as const) {
    const member = memberOf(world, id)
    if (member !== undefined)
      world.sandbox.store.members.put({ ...member, balance, status: "active", pending: 0 })
  }
  return { world, old, other, body: mergeBody(old, other, points) }
}

const memberOf = ({ sandbox }: SandboxWorld, id: string) => sandbox.store.members.get(id)

const mergeBody = (member_id: string, into: string, points: number) => ({
  kind: "member-merge",
  rows: [{ member_id, into, points }],
})

const viewOf = async (app: Process, id: string) =>
  dataOf(await app.ask(`GET /members/${id}/merge`), 200, memberMergeView)

const untilStep = (world: SandboxWorld, app: Process, id: string, step: string) =>
  world.until(`step ${step}`, 3_600_000, async () => {
    const view = await viewOf(app, id)
    return view?.step === step ? view : undefined
  })

/** Decides an award whose call ended without a response, by what the ledger shows. */
async function decideAward(app: Process, job: string): Promise<void> {
  const row = `/jobs/${job}/rows/1`
  const { candidates, resend } = dataOf(await app.ask(`GET ${row}/candidates`), 200, rowEvidence)
  const own = candidates.find((one) => one.has_batch_code)
  const happened = { decision: "happened", upstream_id: own?.upstream_id }
  if (own !== undefined || resend.allowed)
    await app.ask(`POST ${row}/decision`, { body: own === undefined ? { decision: "resend" } : happened })
}

const moved = ({ sandbox }: SandboxWorld) =>
  sandbox.store.ledger.flatMap((effect) =>
    effect.kind === "award" || effect.kind === "deduct" ? `${effect.kind} ${effect.points}` : [],
  )

/** The five counts of all deductions and awards. */
async function countsOf(world: SandboxWorld) {
  const { sandbox, store } = world
  const jobs = await store.jobs.list({ perPage: 100, kinds: ["member-merge", "award"] })
  const counted = await Promise.all(jobs.map(async (job) => countedRecord(job, await world.rowsOf(job.id))))
  const { notes: _notes, ...counts } = fiveCounts(sandbox.store.ledger, counted)
  return counts
}

const nothingWrong = { L: 0, D: 0, P: 0, W: 0, U: 0 }

/** A person settles what a merge waits for, until it is done or nothing was moved. */
async function settle(world: SandboxWorld, app: Process, id: string): Promise<void> {
  await world.until("the end of the merge", 3_600_000, async () => {
    const view = await viewOf(app, id)
    if (view?.step !== "stopped") return view?.step === "done" ? view : undefined
    const { job } = view.next
    const [row] = await world.rowsOf(job)
    if (row?.state === "failed" && !view.deducted) return view
    if (row?.state === "failed") await app.ask(`POST /jobs/${job}/retry`, { body: {} })
    else await decideAward(app, job)
    return undefined
  })
}

describe("merging a member into another one", () => {
  it("deducts, then awards, then deactivates, and leaves a note with both", async () => {
    const { world, old, other, body } = start()
    const app = world.start()
    await world.carryOut(app, body)
    const view = await untilStep(world, app, old, "done")
    expect(view).toMatchObject({ into: other, points: 500, deducted: true })
    expect(moved(world)).toEqual(["deduct -500", "award 500"])
    expect(memberOf(world, old)).toMatchObject({ balance: 0, status: "inactive" })
    expect(memberOf(world, other)).toMatchObject({ balance: 600, status: "active" })
    const [{ id: job } = { id: "" }] = await world.store.jobs.list({ perPage: 1, kinds: ["member-merge"] })
    const notes = await Promise.all([old, other].map((id) => world.store.notes.get("member", id)))
    expect(notes.map((note) => note?.text)).toEqual([
      `Merged into ${other} (${job}).`,
      `Merged from ${old} (${job}).`,
    ])
    await world.clock.advance(600_000)
    expect(moved(world)).toHaveLength(2)
  })

  it("of a member without points only deactivates", async () => {
    const { world, old, body } = start(0)
    const app = world.start()
    await world.carryOut(app, body)
    await untilStep(world, app, old, "done")
    expect(moved(world)).toEqual([])
    expect(memberOf(world, old)?.status).toBe("inactive")
  })

  it("moves nothing if the points changed, or the other member is inactive or unknown", async () => {
    const { world, old, other } = start()
    const app = world.start()
    const codeOf = async (body: unknown) => (await world.carryOut(app, body)).rows[0]?.outcome?.code
    expect(await codeOf(mergeBody(old, other, 499))).toBe("balance_changed")
    expect(await codeOf(mergeBody(old, "mem_none", 500))).toBe("not_found_there")
    const member = memberOf(world, other)
    if (member !== undefined) world.sandbox.store.members.put({ ...member, status: "inactive" })
    expect(await codeOf(mergeBody(old, other, 500))).toBe("merge_into_inactive")
    expect(await viewOf(app, old)).toMatchObject({ step: "stopped", deducted: false })
    expect(moved(world)).toEqual([])
  })

  it("is refused when it is made while another one with a member of it isn't finished", async () => {
    const { world, old, other, body } = start()
    const app = world.start()
    const third = memberIds(world.sandbox, 20).find((id) => ![old, other].includes(id)) ?? ""
    const fault = { kind: "drop-before", match: { method: "POST", path: "/v1/points/deduct" } } as const
    world.sandbox.faults.add(fault)
    await world.carryOut(app, body)
    for (const [from, into] of [
      [other, old],
      [old, third],
      [third, old],
      [other, third],
    ] as const) {
      const answer = await app.ask("POST /jobs", { body: mergeBody(from, into, 100) })
      expect([from, into, answer.status]).toEqual([from, into, 409])
      expect(JSON.stringify(answer.body)).toContain("isn’t finished")
    }
    const both = [mergeBody(third, "mem_x", 1), mergeBody("mem_x", third, 1)].flatMap(({ rows }) => rows)
    expect((await app.ask("POST /jobs", { body: { kind: "member-merge", rows: both } })).status).toBe(409)
    // Several may be merged into one member.
    expect((await app.ask("POST /jobs", { body: mergeBody(third, other, 0) })).status).toBe(201)
  })

  it("sends nothing if a crossing one was made at the same moment", async () => {
    const { world, old, other } = start()
    const app = world.start()
    const made = await Promise.all(
      [mergeBody(old, other, 500), mergeBody(other, old, 100)].map((body) => app.ask("POST /jobs", { body })),
    )
    await world.clock.advance(600_000)
    const jobs = await world.store.jobs.list({ perPage: 100, kinds: ["member-merge"] })
    const rows = (await Promise.all(jobs.map(({ id }) => world.rowsOf(id)))).flat()
    const refused = rows.filter(({ outcome }) => outcome?.code === "merge_crosses")
    expect(refused.length + made.filter(({ status }) => status === 409).length).toBe(1)
    expect([old, other].map((id) => memberOf(world, id)?.balance)).toEqual([0, 600])
  })

  it("awards nothing while it isn't known whether the points were deducted", async () => {
    const { world, old, body } = start()
    const app = world.start()
    world.sandbox.faults.add({ kind: "drop-before", match: { method: "POST", path: "/v1/points/deduct" } })
    const { rows } = await world.carryOut(app, body)
    expect(["absent", "conflict"]).toContain(rows[0]?.state)
    expect(await viewOf(app, old)).toMatchObject({ step: "stopped", deducted: false })
    await world.clock.advance(600_000)
    expect(moved(world)).toEqual([])
    expect(memberOf(world, old)?.status).toBe("active")

    // What a person says continues the merge.
    const [{ id } = { id: "" }] = await world.store.jobs.list({ perPage: 1, kinds: ["member-merge"] })
    await app.ask(`POST /jobs/${id}/rows/1/decision`, { body: { decision: "happened" } })
    await untilStep(world, app, old, "done")
    expect(moved(world)).toEqual(["award 500"])
  })

  it("shows a refused award as half merged, and continues once the award is settled", async () => {
    const { world, old, other, body } = start()
    const app = world.start()
    world.sandbox.faults.add({
      kind: "before-commit-500",
      status: 422,
      match: { method: "POST", path: "/v1/points/award", times: 1 },
    })
    await world.carryOut(app, body)
    const half = await untilStep(world, app, old, "stopped")
    expect(half).toMatchObject({ deducted: true })
    expect(memberOf(world, old)).toMatchObject({ balance: 0, status: "active" })
    await app.ask(`POST /jobs/${half.next.job}/retry`, { body: {} })
    await untilStep(world, app, old, "done")
    expect(memberOf(world, other)?.balance).toBe(600)
    expect(moved(world)).toEqual(["deduct -500", "award 500"])
  })

  it("doesn't award again when a person leaves the refused award out", async () => {
    const { world, old, other, body } = start()
    const app = world.start()
    const refused = { kind: "before-commit-500", status: 422 } as const
    world.sandbox.faults.add({ ...refused, match: { method: "POST", path: "/v1/points/award", times: 1 } })
    await world.carryOut(app, body)
    const { next } = await untilStep(world, app, old, "stopped")
    await app.ask(`POST /jobs/${next.job}/leave-out`, { body: { rows: [1] } })
    await world.clock.advance(600_000)
    expect(await viewOf(app, old)).toMatchObject({ step: "stopped", deducted: true })
    expect(moved(world)).toEqual(["deduct -500"])
    // It is over: the member may be merged again.
    expect((await app.ask("POST /jobs", { body: mergeBody(old, other, 0) })).status).toBe(201)
  })

  it("shows a member who can't be deactivated as half merged, and continues", async () => {
    const { world, old, body } = start()
    const app = world.start()
    const refused = { kind: "before-commit-500", status: 422 } as const
    world.sandbox.faults.add({ ...refused, match: { method: "PATCH", path: "/v1/members/*", times: 1 } })
    await world.carryOut(app, body)
    const { next } = await untilStep(world, app, old, "stopped")
    expect(moved(world)).toEqual(["deduct -500", "award 500"])
    await app.ask(`POST /jobs/${next.job}/retry`, { body: {} })
    await untilStep(world, app, old, "done")
    expect(memberOf(world, old)?.status).toBe("inactive")
  })

  it("loses and doubles nothing with a kill at each step", async () => {
    const plain = start()
    const first = plain.world.start()
    await plain.world.carryOut(first, plain.body)
    await untilStep(plain.world, first, plain.old, "done")
    for (const kill of first.life.distinctKills) {
      const { world, old, other, body } = start()
      const request = { body, headers: { "idempotency-key": "merge" } }
      const mortal = world.start({ kill })
      void mortal.ask("POST /jobs", request)
      await world.clock.advance(6000)
      mortal.life.kill()
      const app = world.start()
      const made = await app.ask("POST /jobs", request)
      expect(made.status).toBe(201)
      await settle(world, app, old)
      const balances = [memberOf(world, old)?.balance, memberOf(world, other)?.balance]
      expect([kill, balances]).toEqual([kill, [0, 600]])
      expect([kill, moved(world).length <= 2, await countsOf(world)]).toEqual([kill, true, nothingWrong])
    }
  }, 300_000)

  it("loses and doubles nothing with faults on a fifth of all calls", async () => {
    for (let round = 0; round < 20; round += 1) {
      const { world, old, other, body } = start()
      for (let skipped = 0; skipped < round; skipped += 1) world.sandbox.faults.draw()
      for (const fault of faultMix(0.2, worldTimes)) world.sandbox.faults.add(fault)
      const app = world.start()
      await world.carryOut(app, body)
      await settle(world, app, old)
      await world.sandbox.settleAll()
      const total = (memberOf(world, old)?.balance ?? 0) + (memberOf(world, other)?.balance ?? 0)
      expect([round, total]).toEqual([round, 600])
      expect([round, await countsOf(world)]).toEqual([round, nothingWrong])
    }
  })

  it("is open to roles that may award and deactivate only", async () => {
    const { world, body } = start()
    const app = world.start()
    for (const role of ["viewer", "fulfilment"] as const)
      expect((await app.ask("POST /jobs", { role, body })).status).toBe(403)
    expect(moved(world)).toEqual([])
  })
})
