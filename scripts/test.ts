/**
 * The whole suite: rules and servers by vitest, everyday jobs in a real browser by Playwright. Closes with one line
 * `N passed, N failed`. Arguments: `unit` or `browser` run one half only.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as z from "zod"

interface Tally {
  passed: number
  failed: number
}

const asked = process.argv.slice(2)
const halves = asked.length > 0 ? asked : ["unit", "browser"]
const folder = mkdtempSync(join(tmpdir(), "laurel-test-"))
const total: Tally = { passed: 0, failed: 0 }

if (halves.includes("unit")) {
  say("Rules, pages and servers ...")
  const report = join(folder, "vitest.json")
  const code = run("vitest", ["run", "--reporter=dot", "--reporter=json", `--outputFile.json=${report}`])
  add(code, readTally(report, unitReport))
}
if (halves.includes("browser")) {
  say("Everyday jobs in a real browser ...")
  const report = join(folder, "playwright.json")
  const code = run("playwright", ["test", "--reporter=list,json"], { PLAYWRIGHT_JSON_OUTPUT_NAME: report })
  add(code, readTally(report, browserReport))
}
rmSync(folder, { recursive: true, force: true })
say(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1

function run(command: string, args: string[], env: Record<string, string> = {}): number {
  return spawnSync(command, args, { stdio: "inherit", env: { ...process.env, ...env } }).status ?? 1
}

/** A half that ended badly without a failed test (a file that does not load, an unhandled rejection) counts as one. */
function add(code: number, tally: Tally | undefined): void {
  total.passed += tally?.passed ?? 0
  const failed = tally?.failed ?? 0
  total.failed += code !== 0 && failed === 0 ? 1 : failed
}

function unitReport(json: unknown): Tally {
  const report = z
    .object({ numPassedTests: z.int(), numFailedTests: z.int(), numFailedTestSuites: z.int() })
    .parse(json)
  return {
    passed: report.numPassedTests,
    failed: Math.max(report.numFailedTests, report.numFailedTestSuites && 1),
  }
}

/** A test that needed luck is a failed test. */
function browserReport(json: unknown): Tally {
  const { stats } = z
    .object({ stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int() }) })
    .parse(json)
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky }
}

function readTally(file: string, read: (json: unknown) => Tally): Tally | undefined {
  try {
    return read(JSON.parse(readFileSync(file, "utf8")))
  } catch {
    return undefined
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
