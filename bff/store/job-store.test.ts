import { expect, onTestFinished, test } from "vitest"
import type { AuditEntry } from "../../contract/audit.ts"
import type { JobRecord } from "../../core/jobs/job-store.ts"
import { make, sampleRows, setRow } from "../../tests/store/job-samples.ts"
import { describeJobStore } from "../../tests/store/job-suite.ts"
import { quietLog } from "../../tests/support/quiet-log.ts"
import { twoStores, testPlaces } from "../../tests/support/test-stores.ts"
import { migrate } from "./migrations.ts"
import { openEngine } from "./open-store.ts"
import { sqlStore } from "./sql-store.ts"

const { newFile, newDatabase } = testPlaces()

describeJobStore("a file", async () => twoStores(await newFile()))
describeJobStore("PostgreSQL", async () => twoStores(await newDatabase()))

/** The audit entry of a person's action. */
const entryOf = ({ id }: JobRecord): AuditEntry => ({
  id: crypto.randomUUID(),
  at: "2026-11-20T00:00:00.000Z",
  actor: { id: "priya", name: "Priya Nair", role: "manager" },
  action: "job.resume",
  area: "program",
  on: { kind: "job", id, label: null },
  outcome: "done",
  note: null,
  changes: [],
  request_id: "req_1",
  source: null,
})

test("a transaction that gives a job work, or that a person requested, wakes the job", async () => {
  const engine = await openEngine(await newFile(), quietLog)
  onTestFinished(() => engine.close())
  await migrate(engine)
  let woken: string[] = []
  const { jobs } = sqlStore(engine, async (within, jobId) => {
    expect(within.isTransaction).toBe(true)
    woken.push(jobId)
  })
  /** The jobs that are woken by `act`. */
  const wakes = async (act: () => Promise<unknown>) => {
    woken = []
    await act()
    return woken
  }
  const draft = await make(jobs, sampleRows(2), { state: "draft" })
  expect(woken).toEqual([])
  const { id } = draft
  expect(await wakes(() => jobs.start(id, {}, undefined, "draft", entryOf))).toEqual([id])
  expect(await wakes(() => jobs.change(id, ["running"], { prepared: true }))).toEqual([])
  expect(await wakes(() => jobs.change(id, ["running"], { state: "paused" }, entryOf))).toEqual([])
  expect(await wakes(() => jobs.start(id, {}, undefined, "paused", entryOf))).toEqual([id])
  expect(await wakes(() => setRow(jobs, id, 1, { state: "conflict" }))).toEqual([])
  const again = { row: 1, from: ["conflict"], set: { state: "planned" } } as const
  expect(await wakes(() => jobs.changeRows(id, [again], undefined, undefined, entryOf))).toEqual([id])
  expect(await wakes(() => jobs.change(id, ["running"], { state: "cancelling" }, entryOf))).toEqual([id])
  const open = { createdBy: { id: "tom", name: "Tom", role: "manager" }, closesAt: Date.now() + 3_600_000 }
  let opened = ""
  const append = async (key: string) => {
    opened = (await make(jobs, sampleRows(1), { ...open, request: { key, bodyHash: "h" } })).id
  }
  expect(await wakes(() => append("one"))).toEqual([opened])
  expect(await wakes(() => append("two"))).toEqual([opened])
  expect(await wakes(() => jobs.closeOpen("tom"))).toEqual([opened])
})
