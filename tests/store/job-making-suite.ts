import { describe, expect, test, vi } from "vitest"
import type { JobStore, NewRow } from "../../core/jobs/job-store.ts"
import { make, numbersOf, sampleJob, sampleRow, sampleRows, setRow } from "./job-samples.ts"

const points = (row: number, changes: Partial<NewRow> = {}) => sampleRow({ points: row, ...changes })

/** 1,000 per job, and `most` per day. */
const most = (day: number) => ({
  job: 1000,
  day: { kinds: ["award", "deduct"] as const, from: 0, most: day },
})

/** Plans a failed row again. */
const again = (row: number, set: { points?: number } = {}) => ({
  row,
  from: ["failed"] as const,
  set: { state: "planned" as const, ...set },
})

/** Creation of jobs, on two instances of one store. */
export function describeJobMaking(
  instances: () => { readonly one: JobStore; readonly other: JobStore },
): void {
  describe("creating jobs", () => {
    test("stores a job and its rows unchanged", async () => {
      const { one, other } = instances()
      const given = sampleRow({
        input: { email: "ANA@example.com", points: 7, metadata: { "a?b": [1, null, "ü 🙂"] } },
        memberId: null,
        email: "ana@example.com",
        label: "Ana Silva",
        points: 7,
      })
      const file = { name: "spring.csv", fingerprint: "f".repeat(64) }
      const job = await make(one, [given, sampleRow()], { title: "Spring", file, lane: "people" })
      expect(job.id).toMatch(/^J-1\d{3}$/)
      expect(await other.get(job.id)).toEqual(job)
      expect(job).toMatchObject({
        kind: "award",
        title: "Spring",
        state: "running",
        pause: null,
        prepared: false,
        total: 2,
        file,
        lane: "people",
        attention: 0,
        points: { total: 57, confirmed: 0 },
        reversedBy: [],
      })
      expect(job.counts).toMatchObject({ planned: 2, sent: 0 })
      expect(job.startedAt).toBe(job.createdAt)
      const { rows, total } = await other.rows(job.id, { page: 1, perPage: 10 })
      expect(total).toBe(2)
      expect(rows[0]).toMatchObject({ ...given, jobId: job.id, row: 1, state: "planned", ordinal: null })
    })

    test("twenty identical requests to both instances create one job; another body is refused", async () => {
      const { one, other } = instances()
      const request = { key: "key-1", bodyHash: "same" }
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          (at % 2 === 0 ? one : other).create(sampleJob({ request }), sampleRows(3)),
        ),
      )
      const made = results.filter((result) => typeof result !== "string")
      expect(made.filter((result) => result.made)).toHaveLength(1)
      expect(new Set(made.map(({ job }) => job.id)).size).toBe(1)
      expect(made).toHaveLength(20)
      expect(await other.create(sampleJob({ request: { ...request, bodyHash: "other" } }), [])).toBe(
        "other_body",
      )
      const [first] = made
      expect(await other.twinOf("priya", request)).toEqual({ job: first?.job, made: false })
      expect(await other.twinOf("priya", { ...request, bodyHash: "other" })).toBe("other_body")
      expect(await other.twinOf("tom", request)).toBeUndefined()
      const tom = { id: "tom", name: "Tom Whitlock", role: "manager" }
      expect(await other.create(sampleJob({ request, createdBy: tom }), [])).toMatchObject({ made: true })
    })

    test("a job whose drawn batch code is taken gets another one", async () => {
      const { one, other } = instances()
      const first = await make(one)
      const draw = crypto.getRandomValues.bind(crypto)
      const places = Array.from(first.batchCode, (letter) =>
        "23456789ABCDEFGHJKLMNPQRSTUVWXYZ".indexOf(letter),
      )
      const drawn = vi.spyOn(crypto, "getRandomValues").mockImplementation((bytes) => {
        drawn.mockImplementation(draw)
        if (bytes instanceof Uint8Array) bytes.set(places)
        return bytes
      })
      const second = await make(other)
      drawn.mockRestore()
      expect(second.batchCode).not.toBe(first.batchCode)
    })

    test("rows resent to a draft are added once", async () => {
      const { one, other } = instances()
      const rows = sampleRows(5).map((row, at) => ({ ...row, input: { points: at, reason: "x" } }))
      const { id } = await make(one, [], { state: "draft" })
      expect(await one.append(id, rows.slice(0, 3), 1, 100)).toMatchObject({ total: 3 })
      expect(await other.append(id, rows.slice(0, 3), 1, 100)).toMatchObject({ total: 3 })
      expect(await one.append(id, rows.slice(1), 2, 100)).toMatchObject({
        total: 5,
        counts: { planned: 5 },
        points: { total: 250 },
      })
      expect(await one.append(id, [sampleRow({ input: { reason: "x", points: 0 } })], 1, 100)).toMatchObject({
        total: 5,
      })
      expect(await one.append(id, rows.slice(0, 1), 2, 100)).toBe("different")
      expect(await one.append(id, rows.slice(0, 1), 7, 100)).toBe("gap")
      expect(await one.append(id, rows, undefined, 9)).toBe("too_many")
      expect(await one.append(id, rows.slice(0, 1), undefined, 9)).toMatchObject({ total: 6 })
      await one.change(id, ["draft"], { state: "running" })
      expect(await one.append(id, rows, undefined, 100)).toBe("not_draft")
      expect(await one.append("J-999999", rows, undefined, 100)).toBe("missing")
      expect(await one.append("nothing", rows, undefined, 100)).toBe("missing")
    })

    test("identical concurrent appends add every row once", async () => {
      const { one, other } = instances()
      const { id } = await make(one, [], { state: "draft" })
      const rows = sampleRows(20).map((row, at) => ({ ...row, input: { at } }))
      const results = await Promise.all([one, other, one, other].map((jobs) => jobs.append(id, rows, 1, 100)))
      expect(results).toEqual(results.map(() => expect.objectContaining({ total: 20 })))
    })

    test("a row is reversed once, also by concurrent and later reversals", async () => {
      const { one, other } = instances()
      const { id } = await make(one, sampleRows(4))
      const back = (...rows: number[]): NewRow[] =>
        rows.map((row) => sampleRow({ points: -50, reverses: { job: id, row } }))
      const before = (await one.list({ perPage: 100 })).length
      const results = await Promise.all(
        [one, other].map((jobs) => jobs.create(sampleJob({ kind: "deduct", reverses: id }), back(3, 2, 1))),
      )
      expect(results.filter((result) => result === "reversed")).toHaveLength(1)
      expect(await one.list({ perPage: 100 })).toHaveLength(before + 1)
      const made = results.find((result) => typeof result !== "string")
      if (made === undefined || typeof made === "string") throw new Error("Neither was made.")
      expect(made.job).toMatchObject({ reverses: id, points: { total: -150 } })
      await setRow(one, made.job.id, 1, { state: "failed" })
      expect(await one.create(sampleJob({ kind: "deduct", reverses: id }), back(3))).toBe("reversed")
      expect(await one.create(sampleJob({ kind: "deduct", reverses: id }), back(4, 4))).toBe("reversed")
      const reversing = await other.reversedRows(id)
      expect(new Set(reversing.keys())).toEqual(new Set([1, 2, 3]))
      const second = await make(other, back(4), { kind: "deduct", reverses: id })
      expect(await one.get(id)).toMatchObject({ reversedBy: [made.job.id, second.id] })
      expect(numbersOf((await one.rows(made.job.id, { page: 1, perPage: 10 })).rows)).toEqual([1, 2, 3])
    })

    describe("limits", () => {
      let people = 0
      const somebody = () => ({ id: `person ${++people}`, name: "Somebody", role: "manager" })

      test("of fifty concurrent jobs, only those within the user's daily limit are created", async () => {
        const { one, other } = instances()
        const createdBy = somebody()
        const results = await Promise.all(
          Array.from({ length: 50 }, (_, at) =>
            (at % 2 === 0 ? one : other).create(
              sampleJob({ createdBy, kind: at % 3 === 0 ? "deduct" : "award" }),
              [points(at % 3 === 0 ? -70 : 70), points(30)],
              most(1050),
            ),
          ),
        )
        expect(results.filter((result) => result === "over_day")).toHaveLength(40)
        expect(await one.startedAmount(createdBy.id, most(0).day)).toBe(1000)
        expect(
          await other.create(sampleJob({ createdBy: somebody() }), [points(70)], most(70)),
        ).toMatchObject({ made: true })
      })

      test("a job above the job limit leaves nothing in the store", async () => {
        const { one, other } = instances()
        const createdBy = somebody()
        const rows = [points(600), points(401)]
        expect(await one.create(sampleJob({ createdBy }), rows, most(9000))).toBe("over_job")
        expect(await other.list({ perPage: 10, createdBy: createdBy.id })).toEqual([])
        expect(await one.create(sampleJob({ createdBy, state: "draft" }), rows, most(9000))).toBe("over_job")
      })

      test("a repeated request returns its job even if that job used up the daily limit", async () => {
        const { one, other } = instances()
        const job = { createdBy: somebody(), request: { key: "limits", bodyHash: "same" } }
        const results = await Promise.all(
          [one, other, one].map((jobs) => jobs.create(sampleJob(job), [points(100)], most(100))),
        )
        expect(results).toEqual(results.map(() => expect.objectContaining({ job: expect.anything() })))
      })

      test("a draft is limited while it grows and counts when started, also for concurrent starts", async () => {
        const { one, other } = instances()
        const createdBy = somebody()
        const draft = await make(one, [], { state: "draft", createdBy })
        expect(await one.append(draft.id, [points(900)], 1, 100, 1000)).toMatchObject({ amount: 900 })
        expect(await other.append(draft.id, [points(101)], 2, 100, 1000)).toBe("over_job")
        expect(await other.append(draft.id, [points(900)], 1, 100, 1000)).toMatchObject({ amount: 900 })
        expect(await one.startedAmount(createdBy.id, most(0).day)).toBe(0)
        const drafts = [draft.id]
        for (const jobs of [one, other, one]) {
          const { id } = await make(jobs, [points(900)], { state: "draft", createdBy })
          drafts.push(id)
        }
        const results = await Promise.all(
          drafts.map((id, at) =>
            (at % 2 === 0 ? one : other).start(id, { startedAt: 500, repeats: null }, most(1900)),
          ),
        )
        expect(results.filter((result) => result === "over_day")).toHaveLength(2)
        expect(await other.startedAmount(createdBy.id, most(0).day)).toBe(1800)
        const open = drafts.find((_, at) => results[at] === "over_day") ?? ""
        expect(await one.get(open)).toMatchObject({ state: "draft", startedAt: null })
        expect(await one.start(open, { startedAt: 500, repeats: null }, { ...most(9000), job: 899 })).toBe(
          "over_job",
        )
        expect(await one.start(open, { startedAt: 700, repeats: null }, undefined)).toMatchObject({
          state: "running",
          startedAt: 700,
        })
        expect(await one.start(open, { startedAt: 700, repeats: null }, undefined)).toBe("stale")
      })

      test("a resumed job counts once for that day and is limited by it", async () => {
        const { one, other } = instances()
        const createdBy = somebody()
        const job = await make(one, [points(600)], { createdBy })
        const from = job.createdAt + 1
        const day = { ...most(1000), day: { ...most(1000).day, from } }
        await one.change(job.id, ["running"], { state: "paused", pause: { code: "person", message: "Wait" } })
        const later = await make(one, [points(401)], { state: "draft", createdBy })
        const anew = { startedAt: from + 1000, pause: null }
        expect(await one.start(later.id, { startedAt: from + 1000 }, { ...day, job: 9000 })).toMatchObject({
          state: "running",
        })
        expect(await other.start(job.id, anew, day, "paused")).toBe("over_day")
        expect(await one.get(job.id)).toMatchObject({ state: "paused", startedAt: job.startedAt })
        const wider = { ...day, day: { ...day.day, most: 9000 } }
        expect(await other.start(job.id, anew, wider, "paused")).toMatchObject({
          state: "running",
          pause: null,
          startedAt: from + 1000,
        })
        expect(await one.start(job.id, anew, wider, "paused")).toBe("stale")
        await one.change(job.id, ["running"], { state: "paused" })
        // Already counted for that day, so a lowered limit does not stop it.
        expect(await other.start(job.id, anew, { ...day, job: 1 }, "paused")).toMatchObject({
          state: "running",
        })
      })

      test("failed, cancelled and reversal rows do not count", async () => {
        const { one, other } = instances()
        const createdBy = somebody()
        const day = { ...most(0).day }
        const job = await make(one, [points(100), points(200), points(400)], { createdBy })
        await setRow(one, job.id, 1, { state: "failed" })
        expect(await other.startedAmount(createdBy.id, day)).toBe(600)
        await setRow(one, job.id, 2, { state: "unknown" })
        await one.change(job.id, ["running"], { state: "cancelling" })
        expect(await other.startedAmount(createdBy.id, day)).toBe(200)
        await make(one, [points(-200, { reverses: { job: job.id, row: 2 } })], {
          kind: "deduct",
          reverses: job.id,
          createdBy,
        })
        expect(await other.startedAmount(createdBy.id, day)).toBe(200)
        expect(await other.startedAmount(createdBy.id, { ...day, kinds: ["giftcard"] })).toBe(0)
        expect(await other.startedAmount(createdBy.id, { ...day, until: job.createdAt })).toBe(0)
        expect(await other.startedAmount(createdBy.id, { ...day, from: job.createdAt + 1 })).toBe(0)
        expect(await other.startedAmount(createdBy.id, { ...day, from: job.createdAt })).toBe(200)
      })

      test("retried rows are checked against both limits, all or none of a step", async () => {
        const { one, other } = instances()
        const createdBy = somebody()
        const job = await make(one, [points(100), points(200)], { createdBy })
        await setRow(one, job.id, 1, { state: "failed" })
        await setRow(one, job.id, 2, { state: "failed" })
        await make(one, [points(700)], { createdBy })
        const changes = [again(1, { points: 101 }), again(2)]
        expect(await other.changeRows(job.id, changes, undefined, most(1000))).toEqual([
          "over_day",
          "over_day",
        ])
        expect(await other.changeRows(job.id, changes, undefined, { ...most(9000), job: 300 })).toEqual([
          "over_job",
          "over_job",
        ])
        expect(await one.get(job.id)).toMatchObject({ counts: { failed: 2 }, amount: 0 })
        expect((await one.rows(job.id, { page: 1, perPage: 2 })).rows[0]).toMatchObject({ points: 100 })
        expect(await other.changeRows(job.id, changes, undefined, most(1001))).toEqual(["changed", "changed"])
        expect(await one.get(job.id)).toMatchObject({ counts: { planned: 2 }, amount: 301 })
      })

      test("cards count in cents", async () => {
        const { one } = instances()
        const createdBy = somebody()
        const card = sampleRow({ points: null, input: { denomination: 19.99 } })
        const job = await make(one, [card, card], { kind: "giftcard", createdBy })
        expect(job).toMatchObject({ amount: 3998, points: null })
        expect(await one.startedAmount(createdBy.id, { kinds: ["giftcard"], from: 0 })).toBe(3998)
      })
    })

    test("kinds without points have null points", async () => {
      const { one } = instances()
      const job = await make(one, [sampleRow({ points: null, reason: null })], {
        kind: "member-create",
        mode: null,
      })
      expect(job.points).toBeNull()
    })
  })
}
