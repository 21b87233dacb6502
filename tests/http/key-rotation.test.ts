import { afterEach, expect, test, vi } from "vitest"
import * as z from "zod/mini"
import { job as jobSchema } from "../../contract/job.ts"
import { type AppStatus, appStatus, keyTest } from "../../contract/status.ts"
import { demoKey } from "../../sandbox/config.ts"
import { fiveCounts, countsLine } from "../faults/five-counts.ts"
import { readCounted, submitJob, untilDone } from "../faults/job-client.ts"
import { dataOf, type Person } from "../support/person.ts"
import { type CoreOptions, startApp, type TestApp } from "../support/server.ts"

const nextApiKey = "the-next-key-of-both-7777"
const ends = { key_end: "7777", rotation: { in_use: "next", other_end: demoKey.slice(-4) } }
const award = "/v1/points/award"

let app: TestApp
let admin: Person
let lines: string[] = []
const ask: Person["ask"] = (path, how) => admin.ask(path, how)

afterEach(async () => {
  await app.close()
  vi.restoreAllMocks()
  lines = []
})

async function start(options: CoreOptions = {}): Promise<void> {
  const env = { JOB_SETTLE_SECONDS: "1", JOB_RECHECK_SECONDS: "1" }
  app = await startApp({ nextApiKey, env, onLog: (line) => lines.push(line), ...options })
  admin = await app.signIn("admin")
}

async function programOf(): Promise<AppStatus["connections"][number] | undefined> {
  return dataOf(await admin.ask("/status"), appStatus).connections.find(({ api }) => api === "program")
}

/** Revokes the first key while the service handles the request that `at` counts among the awards. */
function revokeAt(at: number, accepted: readonly string[]): void {
  const { requests, settings } = app.sandbox
  const add = requests.add.bind(requests)
  let awards = 0
  vi.spyOn(requests, "add").mockImplementation((entry) => {
    if (entry.path === award) awards += 1
    if (awards === at) settings.keys = [...accepted]
    return add(entry)
  })
}

async function awardRows(count: number) {
  const found = await admin.ask("/program/members?status=active&per_page=100")
  const ids = dataOf(found, z.array(z.looseObject({ id: z.string() }))).map(({ id }) => id)
  const rows = Array.from({ length: count }, (_, at) => ({
    member_id: ids[at % ids.length] ?? "",
    points: 5,
    reason: `Bonus ${at}`,
  }))
  return submitJob(ask, { kind: "award", rows, options: { mode: "single" } })
}

test("a key revoked while a job runs is replaced by the next one: nothing pauses, the five counts are 0", async () => {
  await start()
  revokeAt(30, [nextApiKey])
  const { id } = await awardRows(120)
  const done = await untilDone(ask, id, 60_000)
  expect(done).toMatchObject({ state: "done", counts: { confirmed: 120 } })
  const refused = app.sandbox.requests.entries.filter(({ status }) => status === 401)
  // Only what was under way met the revoked key, and the next one was tried by reading.
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(20)
  const counts = fiveCounts([...app.sandbox.store.ledger], [await readCounted(ask, id)])
  expect([countsLine(counts), counts.notes]).toEqual(["L=0 D=0 P=0 W=0 U=0", []])
  expect(await programOf()).toMatchObject(ends)
  expect(lines.join("")).not.toContain(nextApiKey)
})

test("a job pauses when the next key is refused as well, and no write tries it", async () => {
  await start()
  revokeAt(5, [])
  const { id } = await awardRows(20)
  const read = async () => dataOf(await admin.ask(`/jobs/${id}`), jobSchema).state
  await expect.poll(read).toBe("paused")
  expect(await programOf()).toMatchObject({ rotation: { in_use: "current", other_end: "7777" } })
  const counts = fiveCounts([...app.sandbox.store.ledger], [await readCounted(ask, id)])
  expect([counts.D, counts.P, counts.W, counts.U]).toEqual([0, 0, 0, 0])
})

test("a start finds by a read which of two keys the services accept", async () => {
  await start({ sandbox: { settings: { keys: [nextApiKey] } } })
  await expect.poll(programOf).toMatchObject(ends)
  expect(app.sandbox.requests.entries.every(({ method }) => method === "GET")).toBe(true)
  expect((await admin.ask("/program/members?per_page=1")).status).toBe(200)
})

test("a page's read and a person's change go through while the key is replaced", async () => {
  await start()
  const [member] = dataOf(
    await admin.ask("/program/members?per_page=1"),
    z.array(z.looseObject({ id: z.string() })),
  )
  app.sandbox.settings.keys = [nextApiKey]
  const body = { company: "Mistral" }
  const changed = await admin.ask(`/program/members/${member?.id}`, { method: "PATCH", body })
  expect(changed.status).toBe(200)
  expect((await admin.ask("/program/rewards")).status).toBe(200)
})

test("the test of a connection says whether the next key works before the first one is revoked", async () => {
  await start()
  const testOf = async (api: string) =>
    dataOf(await admin.ask(`/status/${api}/test`, { method: "POST" }), keyTest)
  expect(await testOf("giftcard")).toMatchObject({ problem: null, next_key: "refused" })
  const { connections } = dataOf(await admin.ask("/status"), appStatus)
  // A key that only waits is no trouble of the connection.
  expect(connections.find(({ api }) => api === "giftcard")?.day.at(-1)).toMatchObject({ trouble: 0 })
  app.sandbox.settings.keys = [demoKey, nextApiKey]
  expect(await testOf("giftcard")).toMatchObject({ problem: null, next_key: "working" })
  app.sandbox.settings.keys = [nextApiKey]
  expect(await testOf("giftcard")).toMatchObject({ problem: null, next_key: null })
  app.sandbox.settings.keys = []
  expect(await testOf("giftcard")).toMatchObject({ problem: expect.stringContaining("refused (401)") })
})

test("only administrators see ends of keys, and no response has more of them", async () => {
  await start()
  const viewer = await app.signIn("viewer")
  const status = dataOf(await viewer.ask("/status"), appStatus)
  expect(status.connections).toMatchObject([
    { key_end: null, rotation: null },
    { key_end: null, rotation: null },
  ])
  const { body } = await admin.ask("/status")
  expect(JSON.stringify(body)).toContain('"other_end":"7777"')
  expect(JSON.stringify(body)).not.toMatch(/-7777|x-key/)
})
