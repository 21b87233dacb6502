import { once } from "node:events"
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterEach, beforeEach, expect, test } from "vitest"
import * as z from "zod/mini"
import { budgetHeader } from "../../contract/response.ts"
import { appUser } from "../../contract/users.ts"
import { demoPassword } from "../../sandbox/seed/people.ts"
import { createSandbox, type Sandbox } from "../../sandbox/app.ts"
import { demoKey } from "../../sandbox/config.ts"
import { type ServedSandbox, serveSandbox } from "../../sandbox/serve.ts"
import { type Child, freePort, startChild } from "../support/child.ts"
import { admin, upstreamEnv } from "../support/app-process.ts"
import { readEvents } from "../support/event-reader.ts"
import { dataOf, signInAs } from "../support/person.ts"
import { runToEnd } from "../support/run-to-end.ts"

let data: string
let sandbox: Sandbox
let services: ServedSandbox
let started: Child[] = []

beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), "laurel-process-"))
  sandbox = createSandbox({ members: 50, rateLimit: 0 })
  services = await serveSandbox(sandbox)
})
afterEach(async () => {
  for (const child of started) if (child.process.exitCode === null) child.process.kill("SIGKILL")
  started = []
  await services.close()
  rmSync(data, { recursive: true, force: true })
})

/** An app process on the test's sandbox and data folder. */
async function startMain(env: Record<string, string> = {}): Promise<{ child: Child; url: string }> {
  const port = await freePort()
  const child = await startChild("bff/main.ts", { ...envOf(port), ...env }, new RegExp(`:${port}\\b`))
  started.push(child)
  return { child, url: `http://127.0.0.1:${port}` }
}

function envOf(port: number): Record<string, string> {
  return {
    ...upstreamEnv(services.url, demoKey, 1_000),
    PORT: String(port),
    DATA_DIR: data,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  }
}

async function ended({ process }: Child): Promise<number | null> {
  if (process.exitCode === null && process.signalCode === null) await once(process, "exit")
  return process.exitCode
}

test("a start with invalid variables reports all of them and exits", async () => {
  const { code, output } = await runToEnd("bff/main.ts", {
    PORT: "http",
    PROGRAM_BASE_URL: "https://program.example",
    PROGRAM_API_KEY: "the-secret-key",
    DATA_DIR: data,
  })
  expect(code).toBe(1)
  expect(output).toMatch(/^Laurel was not started\.\n- /)
  expect(output).toContain("ENVIRONMENT is missing")
  expect(output).toContain('PORT is "http"')
  expect(output).toContain("It has to end with /v1")
  expect(output).not.toMatch(/the-secret-key|at \w+ \(/)
})

test("a start on a busy port is refused in one sentence", async () => {
  const { code, output } = await runToEnd("bff/main.ts", envOf(services.port))
  expect([code, output]).toEqual([
    1,
    `Laurel was not started.\n- Port ${services.port} on 127.0.0.1 is taken by another program. Stop that one, or set PORT to a free port.\n`,
  ])
})

test("a second process on one folder is refused; one after a kill is not", async () => {
  const { child } = await startMain()
  expect(await runToEnd("bff/main.ts", envOf(0))).toEqual({
    code: 1,
    output: `Laurel was not started.\n- Another Laurel works on ${data} already (process ${child.process.pid}). Stop that one, or give this one a DATA_DIR of its own. For several instances use DATABASE_URL.\n`,
  })
  child.process.kill("SIGKILL")
  await ended(child)
  const next = await startMain()
  expect((await fetch(`${next.url}/readyz`)).status).toBe(200)
})

test("/readyz reports a store locked by another program without waiting", async () => {
  const { url } = await startMain()
  const ready = async () => {
    const answer = await fetch(`${url}/readyz`)
    return [answer.status, await answer.json()]
  }
  expect(await ready()).toEqual([200, { ok: true }])
  const other = new DatabaseSync(join(data, "laurel.db"))
  other.exec("begin immediate")
  await expect.poll(ready).toEqual([503, { ok: false, reason: "the store does not answer" }])
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  other.exec("rollback")
  other.close()
  await expect.poll(ready).toEqual([200, { ok: true }])
})

test("a stop is reported on /readyz for DRAIN_SECONDS while requests are still served", async () => {
  const { child, url } = await startMain({ DRAIN_SECONDS: "4" })
  const person = await signInAs(url, admin.email, admin.password)
  const status = async (path: string) => (await fetch(url + path)).status
  child.process.kill("SIGTERM")
  await expect.poll(() => status("/readyz")).toBe(503)
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ ok: false, reason: "stopping" })
  expect(await status("/healthz")).toBe(200)
  expect((await person.ask("/program/members")).status).toBe(200)
  expect(await ended(child)).toBe(0)
  await expect(status("/healthz")).rejects.toThrow("fetch failed")
})

test("users, sessions and the audit log survive a kill", async () => {
  const first = await startMain()
  const before = await signInAs(first.url, admin.email, admin.password)
  const body = { name: "Tom Whitlock", email: "tom@program.example", role: "fulfilment" }
  expect((await before.ask("/users", { method: "POST", body })).status).toBe(201)
  first.child.process.kill("SIGKILL")
  await ended(first.child)

  const second = await startMain()
  const headers = { Cookie: before.cookie }
  const answer = await fetch(`${second.url}/api/users`, { headers })
  expect(answer.status).toBe(200)
  const after = await signInAs(second.url, admin.email, admin.password)
  const users = dataOf(await after.ask("/users"), z.array(appUser))
  expect(users.map(({ email }) => email)).toEqual([admin.email, "tom@program.example"])
  const log = dataOf(await after.ask("/audit"), z.array(z.looseObject({ action: z.string() })))
  expect(log.map(({ action }) => action)).toContain("user.create")
})

test("every file of the data folder is private to its owner, including existing public ones", async () => {
  const port = await freePort()
  const env = { PORT: String(port), DATA_DIR: data, SANDBOX_MEMBERS: "20" }
  for (const name of ["sandbox.db", "sandbox-services.db"]) {
    writeFileSync(join(data, name), "", { mode: 0o644 })
    chmodSync(join(data, name), 0o644)
  }
  started.push(await startChild("bff/main.ts", env, new RegExp(`:${port}\\b`)))
  await signInAs(`http://127.0.0.1:${port}`, "admin@laurel.demo", demoPassword)
  const files = readdirSync(data).filter((name) => statSync(join(data, name)).isFile())
  expect(files).toEqual(expect.arrayContaining(["sandbox.db", "sandbox-budget.db", "sandbox-services.db"]))
  expect(files.filter((name) => (statSync(join(data, name)).mode & 0o077) !== 0)).toEqual([])
})

test.each([
  ["is a file", (folder: string) => writeFileSync(folder, ""), /DATA_DIR/],
  [
    "holds a sandbox file that is none",
    (folder: string) => {
      mkdirSync(folder)
      writeFileSync(join(folder, "sandbox-services.db"), "no database".repeat(200))
    },
    /sandbox-services\.db.*deleting the file starts the sandbox afresh/,
  ],
  [
    "holds an empty session secret",
    (folder: string) => {
      mkdirSync(folder)
      writeFileSync(join(folder, "session-secret"), "")
    },
    /session-secret (?:holds|has) no session secret\. Delete it/,
  ],
])("a start with a DATA_DIR that %s is refused in one sentence", async (_name, spoil, sentence) => {
  const folder = join(data, "spoiled")
  spoil(folder)
  const { code, output } = await runToEnd("bff/main.ts", {
    PORT: "0",
    DATA_DIR: folder,
    SANDBOX_MEMBERS: "5",
  })
  expect(code).toBe(1)
  expect(output).toMatch(/^Laurel was not started\.\n- .*\n$/)
  expect(output).toMatch(sentence)
})

test("a stop finishes pending requests, ends the streams and exits cleanly", async () => {
  const { child, url } = await startMain()
  const person = await signInAs(url, admin.email, admin.password)
  const stream = await readEvents(url, person)
  sandbox.faults.add({ kind: "slow", ms: 800, match: { times: 1 } })
  const pending = person.ask("/program/members")
  await expect.poll(() => sandbox.requests.count).toBe(1)
  child.process.kill("SIGTERM")
  expect((await pending).status).toBe(200)
  expect(await ended(child)).toBe(0)
  expect(stream.ended()).toBe(true)
  expect(child.output()).not.toMatch(/"level":(50|60)/)
})

test("a stop refuses what waits for the budget, and the call under way ends", async () => {
  const { child, url } = await startMain({ PROGRAM_RATE_LIMIT: "1", SYNC: "off" })
  const person = await signInAs(url, admin.email, admin.password)
  // Longer than what happens meanwhile, on any machine.
  sandbox.faults.add({ kind: "slow", ms: 6000, match: { times: 1 } })
  const sent = person.ask("/program/members")
  await expect.poll(() => sandbox.requests.count).toBe(1)
  const waiting = person.ask("/program/rewards")
  const budget = async () => (await person.ask("/jobs")).headers.get(budgetHeader)
  await expect.poll(budget).toMatch(/^program;.*;1, giftcard/)
  child.process.kill("SIGTERM")
  const answered = await Promise.race([waiting, sent])
  expect([answered.status, answered.headers.get("Retry-After"), answered.headers.get("Connection")]).toEqual([
    503,
    "1",
    "close",
  ])
  expect(answered.body).toMatchObject({
    error: { code: "budget_spent", message: expect.stringContaining("Nothing was sent.") },
  })
  const under = await sent
  expect([under.status, under.headers.get("Connection")]).toEqual([200, "close"])
  expect(sandbox.requests.count).toBe(1)
  expect(await ended(child)).toBe(0)
})
