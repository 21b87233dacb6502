import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as z from "zod/mini"
import { appStatus, serverStopped } from "../../contract/status.ts"
import { dataOf, type Person } from "../support/person.ts"
import { startApp, type TestApp } from "../support/server.ts"

let dataDir: string
let app: TestApp
let admin: Person

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "laurel-servers-"))
  app = await startApp({ dataDir })
  admin = await app.signIn("admin")
})
afterAll(async () => {
  await app.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Another server, `silentMs` after its last sign of life. */
function addServer(id: string, silentMs: number): void {
  const database = new DatabaseSync(join(dataDir, "sandbox.db"))
  const process = JSON.stringify({ instance: `laurel-${id}`, host: "app-2", pid: "1" })
  database
    .prepare("insert into app_instance (id, process, beat_at, stopped_at) values (?, ?, ?, null)")
    .run(id, process, Date.now() - silentMs)
  database.close()
}

const serversFor = async (person: Person) => dataOf(await person.ask("/status"), appStatus).servers
const state = (person: Person, id: string) =>
  person.ask(`/status/servers/${id}/stopped`, { method: "POST", body: {} })
const refusal = z.object({ error: z.object({ message: z.string() }) })

test("an administrator states that a silent server is stopped, once, and the audit log has it", async () => {
  addServer("gone", 60_000)
  const before = await serversFor(admin)
  expect(before?.filter((server) => server.state === "this")).toHaveLength(1)
  expect(before?.find(({ id }) => id === "gone")).toMatchObject({
    name: "laurel-gone",
    host: "app-2",
    process_id: "1",
    state: "silent",
    rows: 0,
  })
  expect(dataOf(await state(admin, "gone"), serverStopped)).toEqual({ rows: 0 })
  expect((await serversFor(admin))?.map(({ id }) => id)).not.toContain("gone")
  expect((await state(admin, "gone")).status).toBe(404)
  const entries = z.array(z.looseObject({ action: z.string() }))
  const stated = dataOf(await admin.ask("/audit?action=store.server_stopped"), entries)
  expect(stated).toMatchObject([
    { action: "store.server_stopped", area: "app", on: { kind: "server", id: "gone", label: "laurel-gone" } },
  ])
})

test("a server that gives signs of life, such as this one, is not stated to be stopped", async () => {
  addServer("alive", 5000)
  const servers = await serversFor(admin)
  const ids = servers?.flatMap((server) => (server.state === "silent" ? [] : [server.id])) ?? []
  expect(ids).toHaveLength(2)
  for (const id of ids) {
    const answer = await state(admin, id)
    expect(answer.status).toBe(409)
    expect(refusal.parse(answer.body).error.message).toBe(
      "This server gave a sign of life just now, so it still runs. Stop it first. Nothing was done.",
    )
  }
  expect(await serversFor(admin)).toHaveLength(2)
})

test("other roles neither see the servers nor state anything about them", async () => {
  addServer("silent", 60_000)
  const manager = await app.signIn("manager")
  expect(await serversFor(manager)).toBeNull()
  expect((await state(manager, "silent")).status).toBe(403)
  expect((await serversFor(admin))?.map(({ id }) => id)).toContain("silent")
})
