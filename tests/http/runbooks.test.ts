import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "pg"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createSandbox } from "../../sandbox/app.ts"
import { demoKey } from "../../sandbox/config.ts"
import { type ServedSandbox, serveSandbox } from "../../sandbox/serve.ts"
import { admin } from "../support/app-process.ts"
import { freePort, startChild } from "../support/child.ts"
import { startPostgres, type TestPostgres } from "../support/postgres.ts"

const text = readFileSync(new URL("../../docs/runbooks.md", import.meta.url), "utf8")
/** The code blocks in one language, without their indent. */
const blocks = (language: string) =>
  [...text.matchAll(/^( *)```(\w+)\n([\s\S]*?)^ *```$/gm)]
    .filter((found) => found[2] === language)
    .map(([, indent = "", , code = ""]) => code.replaceAll(new RegExp(`^${indent}`, "gm"), ""))

/** Takes the place of `laurel`: databases and roles belong to the whole server. */
const own = `desk_${crypto.randomUUID().slice(0, 8)}`
const ownRoles = [own, `${own}_backup`, `${own}_monitor`]
let postgres: TestPostgres
let services: ServedSandbox
let folder: string
let serverUrl: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "laurel-runbooks-"))
  services = await serveSandbox(createSandbox({ members: 20, rateLimit: 0 }))
  postgres = await startPostgres()
  serverUrl = await postgres.createDatabase()
})
afterAll(async () => {
  await execute(`drop database if exists ${own} with (force)`)
  for (const role of ownRoles) await execute(`drop role if exists ${role}`)
  await postgres.stop()
  await services.close()
  rmSync(folder, { recursive: true, force: true })
})

async function execute(statements: string, url = serverUrl): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    // One by one: a database is not created within a transaction.
    for (const statement of statements.split(";").filter((one) => one.trim() !== ""))
      await client.query(statement)
  } finally {
    await client.end()
  }
}

test("the runbooks lead from an empty database to a running desk, and back in after a lock-out", async () => {
  const [roles = "", password = "", lockedOut = "", stuck = "", ...rest] = blocks("sql").map((sql) =>
    sql.replaceAll("laurel", own),
  )
  expect([roles, password, lockedOut, stuck].map((sql) => sql.slice(0, 6))).toEqual([
    "create",
    "alter ",
    "update",
    "select",
  ])
  expect(rest).toEqual([])
  await execute(roles)

  const [settings = ""] = blocks("ini")
  const port = await freePort()
  const file = join(folder, "laurel.env")
  const database = new URL(serverUrl)
  const given = settings
    .replace("PORT=3000", `PORT=${port}`)
    .replace("laurel:the-password@127.0.0.1:5432/laurel", `${own}:the-password@${database.host}/${own}`)
    .replace("https://program.example.com/v1", `${services.url}/v1`)
    .replace("the-key", demoKey)
  writeFileSync(file, given)
  expect(blocks("sh").join("\n")).toContain("node --env-file=/etc/laurel/laurel.env bff/main.ts\n")
  const start = (env: Record<string, string> = {}) =>
    startChild(
      "bff/main.ts",
      { DATA_DIR: join(folder, "data"), ...env },
      new RegExp(`:${port}\\b`),
      [],
      [`--env-file=${file}`],
    )

  const first = await start()
  await expect.poll(() => first.output()).toMatch(/https:\/\/desk\.example\.com\/\S+#/)
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
  await first.stop()

  await execute(password)
  const second = await start({ ADMIN_EMAIL: "helen@example.com", ADMIN_PASSWORD: admin.password })
  expect(second.output()).not.toMatch(/#/)
  await second.stop()

  database.pathname = `/${own}`
  await execute(`${lockedOut};${stuck}`, database.href)
  const third = await start()
  await expect.poll(() => third.output()).toMatch(/https:\/\/desk\.example\.com\/\S+#/)
  await third.stop()
})

test("every command of the runbooks is run by the test above or says that it is not", () => {
  const commands = blocks("sh").flatMap((block) => block.trim().split("\n"))
  expect(commands.filter((line) => !line.endsWith("# not run by a test"))).toEqual([
    'export PATH="$PWD/node_modules/.bin:$PATH" DATA_DIR=/var/lib/laurel',
    "node --env-file=/etc/laurel/laurel.env bff/main.ts",
    "curl --fail http://127.0.0.1:3000/readyz",
    "curl --fail http://127.0.0.1:3000/readyz",
  ])
})
