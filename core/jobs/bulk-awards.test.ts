import { beforeEach, describe, expect, it } from "vitest"
import * as z from "zod/mini"
import { bulkAwardBody } from "../../contract/program/points.ts"
import type { Job } from "../../contract/job.ts"
import { countedAnswer } from "../../tests/faults/counted-job.ts"
import { goodFate } from "../../tests/faults/fates.ts"
import { countsLine, fiveCounts } from "../../tests/faults/five-counts.ts"
import { digestAtOnce } from "../../tests/faults/in-process.ts"
import { awardsFor, createPointsApp, refusal, type PointsApp } from "../../tests/support/points-app.ts"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import { createMemoryStore } from "../../tests/support/memory-store.ts"

const bulkPath = "/points/award/bulk"
/** Processed, but without a response. */
const lost = { ...goodFate, answer: "none" } as const

beforeEach(digestAtOnce)

const sentTogether = (app: PointsApp) =>
  app.bodies(bulkPath).map((body) => bulkAwardBody.parse(body).awards.map(({ member_id }) => member_id))
const oneEach = (app: PointsApp) => {
  const members = app.service.truth.flatMap((effect) => (effect.kind === "award" ? [effect.memberId] : []))
  return new Set(members).size === members.length
}

describe("bulk awards", () => {
  it("contain each member once per request, and tag a member's second row differently", async () => {
    const app = createPointsApp()
    const rows = [...awardsFor(20), ...awardsFor(20), ...awardsFor(5)]
    const made = await app.make({ kind: "award", rows, options: { mode: "bulk" } })
    const { batch_code: code } = await app.until(made.id, "done")
    for (const members of sentTogether(app)) expect(new Set(members).size).toBe(members.length)
    const reasons = app.service.truth.flatMap((effect) =>
      effect.kind === "award" && effect.memberId === "mem_1" ? [effect.reason] : [],
    )
    expect(reasons.toSorted()).toEqual([
      `Q3 bonus · batch ${code}`,
      `Q3 bonus · batch ${code}-2`,
      `Q3 bonus · batch ${code}-3`,
    ])
  })

  it("start with 25 rows, and send the last row alone after all other responses", async () => {
    const app = createPointsApp()
    const made = await app.make({ kind: "award", rows: awardsFor(60), options: { mode: "bulk" } })
    await app.until(made.id, "done")
    expect(sentTogether(app).map(({ length }) => length)).toEqual([25, 34, 1])
  })

  it("confirm only the rows that the response names and send the rest one by one for the service's reasons", async () => {
    const app = createPointsApp()
    app.service.fateOf = (_, nth) => (nth === 1 ? { ...goodFate, keep: 20 } : goodFate)
    const made = await app.make({ kind: "award", rows: awardsFor(30), options: { mode: "bulk" } })
    const job = await app.until(made.id, "done")
    expect(job.counts.confirmed).toBe(30)
    expect(app.bodies("/points/award")).toHaveLength(5)
    expect(oneEach(app)).toBe(true)
  })

  it("without a response are looked up, and each row is carried out once", async () => {
    for (const commit of [0, null]) {
      const app = createPointsApp()
      app.service.fateOf = (_, nth) => (nth === 2 ? { ...lost, commit } : goodFate)
      const made = await app.make({ kind: "award", rows: awardsFor(60), options: { mode: "bulk" } })
      const job = await app.until(made.id, "done")
      expect(job.counts).toMatchObject({ confirmed: 60, conflict: 0, absent: 0 })
      expect([app.service.truth.length, oneEach(app)]).toEqual([60, true])
    }
  })

  describe("without a response are proven absent by the job's last row", () => {
    const rows = awardsFor(150)
    const quickApp = () =>
      createPointsApp({
        members: 210,
        rateLimit: 600,
        config: { jobs: { settleMs: 10_000, recheckMs: 5000, leaseMs: 30_000, callMs: 12_000 } },
      })
    const expectAllOnce = async (app: PointsApp, id: string) => {
      expect((await app.until(id, "done")).counts).toMatchObject({ confirmed: rows.length, conflict: 0 })
      expect(oneEach(app)).toBe(true)
    }

    const firstSizes = (app: PointsApp) =>
      sentTogether(app)
        .slice(0, 3)
        .map(({ length }) => length)

    it("after many rows of the job were found by lookups", async () => {
      const app = quickApp()
      // When the lost request ends, the rows of the one sent with it, which was carried out, are being found.
      app.service.fateOf = (_, nth) =>
        nth === 2 ? lost : nth === 3 ? { ...lost, commit: null, answerMs: 11_000 } : goodFate
      const made = await app.make({ kind: "award", rows, options: { mode: "bulk" } })
      await expectAllOnce(app, made.id)
      expect(firstSizes(app)).toEqual([25, 50, 50])
    })

    it("although rows with references follow, which have another form of tag", async () => {
      const app = quickApp()
      app.service.fateOf = (_, nth) => (nth === 2 ? { ...lost, commit: null } : goodFate)
      const mixed = rows.map((row, at) => (at < 60 ? row : { ...row, reference: `INV-${at}` }))
      const made = await app.make({ kind: "award", rows: mixed, options: { mode: "bulk" } })
      await expectAllOnce(app, made.id)
      expect(firstSizes(app)).toEqual([25, 34, 1])
    })

    it("after another job awarded many rows with references", async () => {
      const app = quickApp()
      // It ends after the other requests.
      app.service.fateOf = (_, nth) => (nth === 2 ? { ...lost, commit: null, answerMs: 500 } : goodFate)
      const made = await app.make({ kind: "award", rows, options: { mode: "bulk" } })
      await app.until(made.id, ({ counts }) => counts.planned + counts.sent === 0)
      const others = awardsFor(rows.length + 60).slice(rows.length)
      const other = await app.make({ kind: "award", rows: others, options: { mode: "single" } })
      await app.until(other.id, "done")
      expect((await app.read(made.id)).counts.unknown).toBeGreaterThan(0)
      await expectAllOnce(app, made.id)
    })
  })

  it("make one call with a refused key and fail no row", async () => {
    for (const mode of ["bulk", "single"] as const) {
      const app = createPointsApp()
      app.instead((call) => (call.method === "POST" ? refusal(401, "unauthorized") : undefined))
      const made = await app.make({ kind: "award", rows: awardsFor(60), options: { mode } })
      await app.pass(120_000)
      expect(await app.read(made.id)).toMatchObject({
        state: "paused",
        pause: { code: "unauthorized" },
        counts: { planned: 60, failed: 0 },
      })
      expect(app.calls).toHaveLength(1)
    }
  })

  it("continue after the store failed to save the first intent", async () => {
    const clock = createFakeClock()
    const store = createMemoryStore(clock)
    let fails = 1
    const jobs: typeof store.jobs = {
      ...store.jobs,
      async changeRows(jobId, changes, change) {
        if (changes[0]?.set.state === "sent" && fails-- > 0) throw new Error("database is locked")
        return store.jobs.changeRows(jobId, changes, change)
      },
    }
    const app = createPointsApp({ clock, store: { ...store, jobs } })
    const made = await app.make({ kind: "award", rows: awardsFor(30), options: { mode: "bulk" } })
    expect((await app.until(made.id, "done")).counts.confirmed).toBe(30)
    expect(oneEach(app)).toBe(true)
  })

  describe("as canaries in the ledger", () => {
    /** The patience is 20 seconds. */
    const settlingSoon = () =>
      createPointsApp({
        config: { jobs: { settleMs: 2000, recheckMs: 1000, leaseMs: 30_000, callMs: 12_000 } },
      })
    const patienceMs = 20_000
    const isNotInLedger = (job: Job) => job.not_in_ledger !== undefined
    const sixty = { kind: "award", rows: awardsFor(60), options: { mode: "bulk" } } as const
    const sent = (app: PointsApp) => app.calls.filter(({ method }) => method === "POST").length
    const rowsNotInLedger = async (app: PointsApp, { id }: Job) =>
      (await app.rows(id)).filter((row) => row.not_in_ledger === true).map(({ row }) => row)
    const expectAllDoneOnce = async (app: PointsApp, { id }: Job) => {
      const job = await app.read(id)
      expect(job).toMatchObject({ state: "done", counts: { confirmed: 60, unknown: 0, conflict: 0 } })
      expect((await app.rows(id)).every(({ state }) => state === "confirmed")).toBe(true)
      const counts = fiveCounts(app.service.truth, [countedAnswer(job, await app.rows(id))])
      expect(countsLine(counts)).toBe("L=0 D=0 P=0 W=0 U=0")
    }

    it("are missing after the patience, stay confirmed, and are no longer missing once found", async () => {
      const app = settlingSoon()
      app.service.fateOf = () => ({ ...goodFate, lagMs: 60_000 })
      const startedAt = app.clock.monotonic()
      const made = await app.make(sixty)
      expect(isNotInLedger(await app.until(made.id, "done"))).toBe(false)
      const calls = sent(app)
      await app.until(made.id, isNotInLedger)
      const tookMs = app.clock.monotonic() - startedAt
      expect(tookMs).toBeGreaterThanOrEqual(patienceMs)
      expect(tookMs).toBeLessThan(2 * patienceMs)
      await app.pass(10_000)
      expect(await app.read(made.id)).toMatchObject({ not_in_ledger: 2 })
      expect(await rowsNotInLedger(app, made)).toEqual([1, 51])
      await expectAllDoneOnce(app, made)
      // The job is done while its canaries are still open.
      expect((await app.ask("GET /jobs/summary")).body).toMatchObject({ data: { active: 0 } })
      expect((await app.ask("GET /jobs")).body).toMatchObject({ data: [{ id: made.id, state: "done" }] })
      app.events.length = 0
      await app.until(made.id, (job) => !isNotInLedger(job))
      expect(app.events).toContainEqual({ topic: "job", id: made.id })
      expect(await rowsNotInLedger(app, made)).toEqual([])
      expect(sent(app)).toBe(calls)
      await expectAllDoneOnce(app, made)
    })

    it("are not missing when the ledger shows them within the patience", async () => {
      const app = settlingSoon()
      app.service.fateOf = () => ({ ...goodFate, lagMs: 15_000 })
      const made = await app.make(sixty)
      for (let second = 0; second < 60; second += 1) {
        expect(isNotInLedger(await app.read(made.id))).toBe(false)
        await app.pass(1000)
      }
      await expectAllDoneOnce(app, made)
    })

    it("are missing only by a lookup after the patience", async () => {
      const app = settlingSoon()
      app.service.fateOf = () => ({ ...goodFate, lagMs: 3_600_000 })
      let isDown = true
      app.instead(({ path }) =>
        isDown && path.endsWith("/transactions") ? refusal(500, "internal_error") : undefined,
      )
      const made = await app.make(sixty)
      await app.until(made.id, "done")
      await app.pass(3 * patienceMs)
      expect(isNotInLedger(await app.read(made.id))).toBe(false)
      isDown = false
      await app.until(made.id, isNotInLedger)
      await expectAllDoneOnce(app, made)
    })

    it("stay missing, with a limited number of lookups, when the ledger never shows them", async () => {
      const app = settlingSoon()
      const nothing = { page: 1, per_page: 100, total: 0 }
      app.instead(({ path }) =>
        path.endsWith("/transactions")
          ? { status: 200, body: { success: true, data: [], meta: nothing } }
          : undefined,
      )
      const made = await app.make(sixty)
      await app.until(made.id, "done")
      const early = app.calls.length
      await app.pass(600_000)
      expect(app.calls.length).toBeGreaterThan(early)
      await app.pass(3_600_000)
      const before = app.calls.length
      await app.pass(1_300_000)
      expect(app.calls.length - before).toBe(0)
      expect(await rowsNotInLedger(app, made)).toEqual([1, 51])
      await expectAllDoneOnce(app, made)
    })
  })

  it("without the batch code have the unchanged reason and are no canaries", async () => {
    const app = createPointsApp()
    await app.ask("PUT /settings/points", { body: { batch_code: false } })
    const made = await app.make({ kind: "award", rows: awardsFor(30), options: { mode: "bulk" } })
    await app.until(made.id, "done")
    await app.pass(600_000)
    expect(app.service.truth.every((effect) => effect.kind === "award" && effect.reason === "Q3 bonus")).toBe(
      true,
    )
    expect(app.calls.every(({ path }) => path === bulkPath)).toBe(true)
  })
})

describe("a refused bulk request", () => {
  /** Refuses every bulk request after its first `keep` rows were booked; rows sent alone succeed. */
  const refuseTogether = (app: PointsApp, keep: number) => {
    app.service.fateOf = ({ path }) =>
      path === bulkPath ? { ...goodFate, keep, answer: "refused-together" } : goodFate
  }
  const said = "The service said: “It was not accepted” (invalid_request)."
  const start = (app: PointsApp, count: number) =>
    app.make({ kind: "award", rows: awardsFor(count), options: { mode: "bulk" } })
  const expectNothingWrong = async (app: PointsApp, job: Job) =>
    expect(countsLine(fiveCounts(app.service.truth, [countedAnswer(job, await app.rows(job.id))]))).toBe(
      "L=0 D=0 P=0 W=0 U=0",
    )

  it.each([0, 10])(
    "is followed by a row sent alone as the canary, then by its own rows, when it booked %i of them",
    async (keep) => {
      const app = createPointsApp()
      refuseTogether(app, keep)
      const made = await start(app, 30)
      await app.until(made.id, ({ counts }) => counts.unknown > 0)
      expect((await app.rows(made.id))[0]?.outcome?.message).toContain(said)
      expect((await app.read(made.id)).refusal).toEqual({
        code: "invalid_request",
        message: "It was not accepted",
      })
      const job = await app.until(made.id, "done")
      expect(job.counts).toMatchObject({ confirmed: 30, conflict: 0 })
      expect(job.refusal).toBe(null)
      const [first] = app.bodies("/points/award")
      // The first 25 were in the refused request.
      expect(first).toMatchObject({ member_id: "mem_26" })
      await expectNothingWrong(app, job)
    },
  )

  it("is followed by single awards until one is confirmed", async () => {
    const app = createPointsApp()
    app.service.fateOf = ({ path, body }) => {
      if (path === bulkPath) return { ...goodFate, answer: "refused-together", commit: null }
      return JSON.stringify(body).includes("mem_26") ? { ...goodFate, answer: "refused" } : goodFate
    }
    const made = await start(app, 30)
    const job = await app.until(made.id, "done")
    expect(job.counts).toMatchObject({ confirmed: 29, failed: 1, conflict: 0 })
    await expectNothingWrong(app, job)
  })

  it.each([0, 2])(
    "goes to a person without a canary, until one award sent first settles the others, %i of them booked",
    async (keep) => {
      const app = createPointsApp()
      const refusesAlone = { ...goodFate, answer: "refused" } as const
      app.service.fateOf = ({ path }) =>
        path === bulkPath ? { ...goodFate, keep, answer: "refused-together" } : refusesAlone
      const made = await start(app, 4)
      const waiting = await app.until(made.id, "done")
      // The last row was sent alone and refused, so there is no canary.
      expect(waiting.counts).toMatchObject({ confirmed: keep, failed: 1, conflict: 3 - keep })
      expect(waiting.refusal?.message).toBe("It was not accepted")
      const open = (await app.rows(made.id)).filter(({ state }) => state === "conflict")
      for (const row of open) expect(row.outcome?.message).toContain(said)
      await app.pass(3_600_000)
      const sent = app.bodies("/points/award").length

      refuseTogether(app, 0)
      const [offered] = open
      await app.meanwhile(app.post(`/jobs/${made.id}/rows/${offered?.row}/decision`, { decision: "resend" }))
      const job = await app.until(made.id, ({ state, counts }) => state === "done" && counts.conflict === 0)
      expect(job.counts).toMatchObject({ confirmed: 3, failed: 1, absent: 0 })
      expect(app.bodies("/points/award")).toHaveLength(sent + 3 - keep)
      await expectNothingWrong(app, job)
    },
  )
})

describe("awards sent alone", () => {
  const reference = z.looseObject({
    reason: z.string(),
    reference: z.string(),
    metadata: z.optional(z.unknown()),
  })

  it("keep the reason and have the row's tag as reference", async () => {
    const app = createPointsApp()
    const made = await app.make({ kind: "award", rows: awardsFor(3), options: { mode: "single" } })
    const { batch_code: code } = await app.until(made.id, "done")
    expect(app.bodies("/points/award").map((body) => reference.parse(body))).toMatchObject(
      [1, 2, 3].map((row) => ({ reason: "Q3 bonus", reference: `${code}.${row}` })),
    )
  })

  it("keep a person's reference and have the row's tag in their metadata", async () => {
    const app = createPointsApp()
    const [award] = awardsFor(1)
    const rows = [{ ...award, reference: "INV-7", metadata: { note: "Bo" } }]
    const made = await app.make({ kind: "award", rows })
    const { batch_code: code } = await app.until(made.id, "done")
    expect(app.bodies("/points/award")).toMatchObject([
      { reference: "INV-7", metadata: { note: "Bo", laurel: `${code}.1` } },
    ])
  })
})
