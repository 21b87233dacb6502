import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import * as z from "zod/mini"
import { readConfig } from "../../bff/config.ts"
import { createLogger, startOutput } from "../../bff/log.ts"
import { passwordLink } from "../../contract/users.ts"
import { demoKey } from "../../sandbox/config.ts"
import { newPassword, newUser, setPassword, tokenOf } from "../support/new-user.ts"
import { requestCore, codeOf, dataOf, type Person, signInAs } from "../support/person.ts"
import { startApp, type TestApp } from "../support/server.ts"

const line = z.looseObject({
  level: z.number(),
  requestId: z.optional(z.string()),
  source: z.optional(z.nullable(z.string())),
  userId: z.optional(z.string()),
  req: z.optional(z.object({ method: z.string(), path: z.string() })),
  audit: z.optional(z.string()),
  action: z.optional(z.string()),
})
const info = 30
const debug = 20
const secret = "the-session-secret-of-this-test-0123456789"

let lines: string[] = []
let app: TestApp
let admin: Person

beforeAll(async () => {
  const env = { TRUST_PROXY: "loopback", SESSION_SECRET: secret }
  app = await startApp({ env, onLog: (text) => lines.push(text) })
  admin = await app.signIn("admin")
})
afterAll(() => app.close())
beforeEach(() => {
  lines = []
})

/** Makes a request and waits for its log line, written after the response. */
async function lineOf(person: Person, path: string, headers: Record<string, string> = {}) {
  const answer = await person.ask(path, { headers })
  const id = answer.headers.get("X-Request-Id")
  const find = () => lines.map(read).find(({ requestId, req }) => requestId === id && req !== undefined)
  await expect.poll(find).toBeDefined()
  return { answer, line: find() }
}

function read(text: string) {
  return line.parse(JSON.parse(text))
}

test("reads of personal data and denied requests are logged at info with user and source", async () => {
  const forwarded = { "X-Forwarded-For": "203.0.113.9, 198.51.100.4" }
  const userId = admin.session.user.id
  for (const path of ["/program/members?search=ana", "/program/orders", "/users", "/audit", "/cards"]) {
    const read = await lineOf(admin, path, forwarded)
    expect(read.line).toMatchObject({ level: info, source: "198.51.100.4", userId })
    expect(read.line?.req?.path).toBe(`/api${path.split("?", 1)[0]}`)
  }
  const viewer = await app.signIn("viewer")
  const denied = await lineOf(viewer, "/users", forwarded)
  expect([denied.answer.status, denied.line?.level, denied.line?.userId]).toEqual([
    403,
    info,
    viewer.session.user.id,
  ])
  const signedOut: Person = { ...viewer, ask: (path, how) => requestCore(app.url, path, how) }
  for (const path of ["/program/members", "/users"]) {
    const refused = await lineOf(signedOut, path, forwarded)
    expect([refused.answer.status, refused.line?.level]).toEqual([401, info])
    expect(refused.line).toMatchObject({ source: "198.51.100.4" })
  }
})

test("a read without personal data and the session request are logged at debug", async () => {
  for (const path of ["/program/rewards", "/status/budget", "/jobs/summary", "/session"]) {
    expect([path, (await lineOf(admin, path)).line?.level]).toEqual([path, debug])
  }
  const signedOut: Person = { ...admin, ask: (path, how) => requestCore(app.url, path, how) }
  expect((await lineOf(signedOut, "/session")).line?.level).toBe(debug)
})

test("an audit entry is also logged by ids; both have the source and the request id", async () => {
  const headers = { "X-Forwarded-For": "203.0.113.77" }
  const body = { text: "Prefers to be called after noon.", version: 0 }
  const saved = await admin.ask("/notes/member/mem_1", { method: "PUT", body, headers })
  expect([saved.status, codeOf(saved)]).toEqual([200, undefined])
  const requestId = saved.headers.get("X-Request-Id")
  const found = lines.map(read).find(({ action }) => action === "note.save")
  expect(found).toMatchObject({
    level: info,
    requestId,
    source: "203.0.113.77",
    userId: admin.session.user.id,
    on: { kind: "member", id: "mem_1" },
    outcome: "done",
  })
  const entries = z.array(z.looseObject({ id: z.string(), source: z.nullable(z.string()) }))
  const sourceFor = async (person: Person) =>
    dataOf(await person.ask("/audit?action=note.save"), entries).find(({ id }) => id === found?.audit)?.source
  expect(await sourceFor(admin)).toBe("203.0.113.77")
  // The source address is visible to administrators and to the user.
  expect(await sourceFor(await app.signIn("manager"))).toBeNull()
  expect(lines.join("")).not.toContain("after noon")
})

test("no line contains a password, a cookie, a link, a key or a secret", async () => {
  const { id, email, token, person } = await newUser(app.url, admin, "viewer")
  await signInAs(app.url, email, "a-wrong-password").catch(() => undefined)
  const link = dataOf(await admin.ask(`/users/${id}/link`, { method: "POST" }), passwordLink)
  await setPassword(app.url, tokenOf(link.path), { password: "another good sentence" })
  await person.ask("/program/members?search=ana.silva")
  await admin.ask("/session/password", {
    method: "PUT",
    body: { current_password: "not-the-password", new_password: "a new one of hers" },
  })
  const cookies = [admin, person].flatMap(({ cookie }) => cookie.split("; ").map((one) => one.split("=")[1]))
  const secrets = [
    newPassword,
    "a-wrong-password",
    "another good sentence",
    "a new one of hers",
    "laurel-sandbox",
    token,
    tokenOf(link.path),
    demoKey,
    secret,
    "ana.silva",
    ...cookies,
  ]
  expect(lines.length).toBeGreaterThan(10)
  for (const text of secrets) expect(lines.join("")).not.toContain(text)
})

test("the start is readable on a terminal, and else as lines of the log with the address up to a blank", () => {
  const lines = [
    "Laurel 1.0.0 runs at http://127.0.0.1:3000 in staging",
    "  Open http://127.0.0.1:3000/set-up#token=abc once",
  ]
  expect(startOutput(lines, true)).toBe(`${lines.join("\n")}\n`)
  const written = startOutput(lines, false)
  const read = written
    .trimEnd()
    .split("\n")
    .map((text) => z.object({ level: z.number(), time: z.number(), msg: z.string() }).parse(JSON.parse(text)))
  expect(read.map(({ level, msg }) => [level, msg])).toEqual(lines.map((text) => [info, text.trim()]))
  expect(/runs at (\S+)/.exec(written)?.[1]).toBe("http://127.0.0.1:3000")
  expect(/#token=(\S+)/.exec(written)?.[1]).toBe("abc")
})

test("a secret in an error is removed before the line is written", () => {
  const config = readConfig({
    ENVIRONMENT: "staging",
    PROGRAM_BASE_URL: "https://staging.program.example/v1",
    PROGRAM_API_KEY: "prog-secret-key",
    PROGRAM_API_KEY_NEXT: "prog-next-key",
    METRICS_TOKEN: "the-metrics-token-0123",
    SESSION_SECRET: `${secret}"quoted`,
    DATABASE_URL: "postgres://laurel:p%40ss-word-9@db/laurel",
    ADMIN_EMAIL: "helen@program.example",
    ADMIN_PASSWORD: "three teal umbrellas",
    LOG_LEVEL: "info",
  })
  if (!config.ok) throw new Error(config.problems.join())
  const written: string[] = []
  const logger = createLogger(config.config, ["made-for-this-start"], { write: (text) => written.push(text) })
  const cause = Object.assign(new Error("duplicate key"), {
    code: "23505",
    detail: "Failing row contains (tok-of-a-session)",
  })
  const secrets = [
    "prog-secret-key",
    "prog-next-key",
    "the-metrics-token-0123",
    `${secret}"quoted`,
    "p@ss-word-9",
    "p%40ss-word-9",
    "three teal umbrellas",
    "made-for-this-start",
  ]
  logger.error({ err: new Error(`It failed with ${secrets.join(" and ")}`, { cause }) }, "Failed")
  logger.warn(
    { url: "/set-password#token=abc123", cookie: "laurel.session_token=xyz.789; a=1" },
    "Bearer k9k9k9k9",
  )
  logger.debug({}, "not at this level")
  const all = written.join("")
  expect(written).toHaveLength(2)
  expect(all).toContain("duplicate key")
  expect(all).toContain("23505")
  for (const text of [...secrets, "tok-of-a-session", "abc123", "xyz.789", "k9k9k9k9"]) {
    expect(all).not.toContain(text)
    expect(all).not.toContain(JSON.stringify(text).slice(1, -1))
  }
  for (const text of written) expect(() => read(text)).not.toThrow()
})
