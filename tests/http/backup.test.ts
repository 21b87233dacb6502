import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as z from "zod/mini"
import { createSandbox } from "../../sandbox/app.ts"
import { demoKey } from "../../sandbox/config.ts"
import { type ServedSandbox, serveSandbox } from "../../sandbox/serve.ts"
import { admin, type AppProcess, startAppProcess, upstreamEnv } from "../support/app-process.ts"
import { freePort, startChild } from "../support/child.ts"
import { signInAs } from "../support/person.ts"
import { runToEnd } from "../support/run-to-end.ts"

const root = join(import.meta.dirname, "../..")
const token = "a-token-for-the-metrics"
const folder = mkdtempSync(join(tmpdir(), "laurel-backup-"))

let services: ServedSandbox
let env: Record<string, string>
let app: AppProcess
beforeAll(async () => {
  services = await serveSandbox(createSandbox({ members: 20, rateLimit: 0 }))
  env = upstreamEnv(services.url, demoKey, 1000)
  app = await startAppProcess({ ...env, METRICS_TOKEN: token })
})
afterAll(async () => {
  await app.stop()
  await services.close()
  rmSync(folder, { recursive: true, force: true })
})

const backUp = (...args: string[]) => runToEnd("bff/backup.ts", { DATA_DIR: app.data }, args)

async function backupAge(): Promise<string | undefined> {
  const headers = { Authorization: `Bearer ${token}` }
  const text = await (await fetch(`${app.url}/metrics`, { headers })).text()
  return /^laurel_backup_age_seconds (.*)$/m.exec(text)?.[1]
}

describe("a backup", () => {
  it("is made while Laurel works, is its owner's alone, is verified, and has its age in the metrics", async () => {
    expect(await backupAge()).toBe("+Inf")
    const helen = await signInAs(app.url, admin.email, admin.password)
    const note = { text: "Before the backup", version: 0 }
    expect((await helen.ask("/notes/member/mem_1", { method: "PUT", body: note })).status).toBe(200)
    const { code, output } = await backUp()
    expect([code, output]).toEqual([0, expect.stringMatching(/Not in it: .*session-secret/)])
    expect(Number(await backupAge())).toBeLessThan(3600)

    const made = readdirSync(join(app.data, "backups"))
    expect(made).toEqual([expect.stringMatching(/^laurel-\d{4}-\d\d-\d\dT\d{6}Z\.db$/)])
    const file = join(app.data, "backups", made[0] ?? "")
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file)).not.toContain(readFileSync(join(app.data, "session-secret")))
    const verified = await backUp("verify", file)
    expect(verified.code).toBe(0)
    expect(verified.output).toContain(
      `Made for: staging, ${services.url}/v1, ${services.url}/api/v1/external.`,
    )
    expect(verified.output).toMatch(/Version: as this Laurel.*\n.*1 users, 1 sessions, 0 jobs.* 1 notes/)
  })

  it("never replaces a file", async () => {
    const file = join(folder, "taken.db")
    writeFileSync(file, "mine")
    expect(await backUp("--to", file)).toMatchObject({
      code: 1,
      output: expect.stringContaining("is there already"),
    })
    expect(readFileSync(file, "utf8")).toBe("mine")
  })

  it("that cannot be written leaves nothing behind and is not counted", async () => {
    writeFileSync(join(folder, "a-file"), "")
    const before = statSync(join(app.data, "laurel-last-backup")).mtimeMs
    const { code, output } = await backUp("--to", join(folder, "a-file", "backup.db"))
    expect([code, output]).toEqual([1, expect.stringMatching(/No backup was made: .*Nothing is left of it/)])
    expect(statSync(join(app.data, "laurel-last-backup")).mtimeMs).toBe(before)
  })

  it.each([
    ["is not there", (file: string) => rmSync(file), "no such file"],
    [
      "is no database",
      (file: string) => writeFileSync(file, "nothing of the kind".repeat(100)),
      "not a database",
    ],
    ["is cut short", (file: string) => truncateSync(file, 8192), /damaged|malformed/],
    ["holds another program's tables", (file: string) => writeFileSync(file, ""), "no store of Laurel"],
  ])("that %s is refused by verify", async (_what, spoil, reason) => {
    const file = join(folder, "spoilt.db")
    rmSync(file, { force: true })
    expect((await backUp("--to", file)).code).toBe(0)
    spoil(file)
    const { code, output } = await backUp("verify", file)
    expect([code, output]).toEqual([1, expect.stringMatching(reason)])
    expect(output).toMatch(/cannot be put back.*Nothing was changed/)
  })

  it("of PostgreSQL is refused: the command names pg_dump and prints no password", async () => {
    const databaseUrl = "postgres://laurel:pass-word-1@db.example/laurel"
    const { code, output } = await runToEnd("bff/backup.ts", {
      DATA_DIR: app.data,
      DATABASE_URL: databaseUrl,
    })
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/db\.example\/laurel[^]*pg_dump --format=custom/),
    ])
    expect(output).not.toContain("word-1")
  })
})

it(
  "put back as the operating manual says it is what Laurel starts on, also after a kill",
  { timeout: 90_000 },
  async () => {
    const manual = readFileSync(join(root, "docs/operating.md"), "utf8")
    const block = /## After a restore\n[^]*?```sh\n([^]*?)```/.exec(manual)?.[1] ?? ""
    const [data, file, port] = [join(folder, "killed"), join(folder, "monday.db"), await freePort()]
    const named = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }
    const start = () =>
      startChild(
        "bff/main.ts",
        { ...env, ...named, DATA_DIR: data, PORT: String(port) },
        new RegExp(`:${port}\\b`),
      )
    const killed = await start()
    await runToEnd("bff/backup.ts", { DATA_DIR: data }, ["--to", file])
    const helen = await signInAs(`http://127.0.0.1:${port}`, admin.email, admin.password)
    const note = { text: "After the backup", version: 0 }
    expect((await helen.ask("/notes/member/mem_1", { method: "PUT", body: note })).status).toBe(200)
    const ended = once(killed.process, "exit")
    killed.process.kill("SIGKILL")
    await ended

    const commands = block.replaceAll("/backups/laurel-monday.db", file)
    expect(commands).toContain(file)
    execFileSync("bash", ["-e", "-c", commands], { env: { ...process.env, DATA_DIR: data } })
    const restored = await start()
    await restored.stop()
    const { output } = await runToEnd("bff/backup.ts", { DATA_DIR: data })
    expect(output).toContain("0 notes")
  },
)

const scripts = z.object({ scripts: z.record(z.string(), z.string()) })

/** A machine's commands: `npm run`, and a Node that is too old. */
function writeCommands(bin: string): void {
  const known = scripts.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8"))).scripts
  const own = `PATH="${dirname(process.execPath)}:$PATH"`
  const npm = `shift\n[ "$1" = backup ] || exit 9\nshift 2\n${own} exec ${known["backup"]} "$@"`
  mkdirSync(bin)
  for (const [name, script] of Object.entries({ npm, node: "exit 9" })) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(bin, name), 0o755)
  }
}

it(
  "the restore drill of the operating manual starts a held copy next to the running Laurel",
  { timeout: 90_000 },
  async () => {
    const manual = readFileSync(join(root, "docs/operating.md"), "utf8")
    const block = /### Restore drill\n[^]*?```sh\n([^]*?)```/.exec(manual)?.[1] ?? ""
    expect(block.split("\n").filter((line) => line !== "").length).toBeGreaterThan(8)
    const [bin, port] = [join(folder, "bin"), await freePort()]
    writeCommands(bin)
    const shell = spawn("bash", ["-e", "-c", block.replaceAll("3999", String(port))], {
      cwd: root,
      env: {
        ...env,
        DATA_DIR: app.data,
        HOME: process.env["HOME"],
        TMPDIR: folder,
        PATH: [bin, process.env["PATH"]].join(delimiter),
      },
      stdio: ["ignore", "pipe", "pipe"],
    })
    let output = ""
    for (const stream of [shell.stdout, shell.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()))
    const code = await new Promise((resolve) => shell.once("close", resolve))
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/complete, [^]*Made for: staging[^]*\{"ok":true\}/),
    ])
    expect(output).toContain(`runs at http://127.0.0.1:${port}`)
    expect((await fetch(`${app.url}/readyz`)).status).toBe(200)
  },
)
