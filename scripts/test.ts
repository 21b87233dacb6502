/**
 * The whole suite: rules and servers by vitest, everyday jobs in a real browser by Playwright. Says which file is
 * finished as it goes, names what failed and why at the end, and closes with one line `N passed, N failed`.
 * Arguments: `unit` or `browser` run one half only.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { MinimalReporter, type Reporter, startVitest, type TestModule } from "vitest/node"
import * as z from "zod"
import { type PostgresServer, startPostgresServer } from "../tests/support/postgres-server.ts"

interface Outcome {
  readonly passed: number
  /** Names of the failed tests; a part that broke without a failed test counts as one. */
  readonly failed: readonly string[]
}

/** Longest silence of a run, in ms. */
const longestSilence = 15_000
let lastLine = performance.now()

const spec = z.object({
  title: z.string(),
  file: z.string(),
  tests: z.array(
    z.object({
      status: z.string(),
      results: z.array(z.object({ errors: z.array(z.object({ message: z.optional(z.string()) })) })),
    }),
  ),
})
const suite = z.object({
  specs: z.optional(z.array(spec)),
  get suites() {
    return z.optional(z.array(suite))
  },
})

/** Everything that needs no browser. A file that does not load and an unhandled rejection are failures. */
async function runUnit(): Promise<Outcome> {
  say("Rules, pages and servers")
  const running = new Set<string>()
  let total = 0
  let finished = 0
  let outcome: Outcome = { passed: 0, failed: ["the unit tests did not run"] }
  const progress: Reporter = {
    onTestRunStart(files) {
      total = files.length
    },
    onTestModuleStart({ relativeModuleId }) {
      running.add(relativeModuleId)
    },
    onTestModuleEnd(file) {
      running.delete(file.relativeModuleId)
      finished += 1
      say(`${String(finished).padStart(5)}/${total}  ${file.relativeModuleId}  ${summary(file)}`)
    },
    onTestRunEnd(files, errors) {
      const tests = files.flatMap((file) => [...file.children.allTests()])
      outcome = {
        passed: tests.filter((test) => test.result().state === "passed").length,
        failed: [
          ...tests
            .filter((test) => test.result().state === "failed")
            .map(
              (test) =>
                `${test.module.relativeModuleId}: ${test.fullName}${errorLines(test.result().errors ?? [])}`,
            ),
          ...files.filter((file) => file.errors().length > 0).map(({ relativeModuleId }) => relativeModuleId),
          ...errors.map((error) => `outside a test: ${error.message}`),
        ],
      }
    },
  }
  const stop = printPlan(() => [...running].join(", "))
  const postgres = await startSharedPostgres()
  try {
    const vitest = await startVitest("test", [], { run: true, reporters: [new MinimalReporter(), progress] })
    await vitest.close()
  } finally {
    await postgres?.stop()
    stop()
  }
  return outcome
}

/** One server for all files that need one: each would make its own. Without it they try, and name the reason. */
async function startSharedPostgres(): Promise<PostgresServer | undefined> {
  if (process.env["TEST_DATABASE_URL"] !== undefined) return undefined
  const server = await startPostgresServer().catch(() => undefined)
  if (server !== undefined) process.env["TEST_DATABASE_URL"] = server.url
  return server
}

/** An error as the runners report it. */
interface Failure {
  readonly message?: string | undefined
  readonly cause?: Failure | undefined
}

/** The start of each error, with its cause: a property names its seed and counterexample in the first lines. */
function errorLines(errors: readonly Failure[]): string {
  return errors
    .flatMap(({ message = "", cause }) => [message, cause?.message ?? ""])
    .flatMap((text) => stripVTControlCharacters(text).split("\n").slice(0, 12))
    .filter((line) => line.trim() !== "")
    .map((line) => `\n      ${line.slice(0, 2000)}`)
    .join("")
}

function summary(file: TestModule): string {
  const tests = [...file.children.allTests()]
  const bad = tests.filter((test) => test.result().state === "failed").length
  const seconds = (file.diagnostic().duration / 1000).toFixed(1)
  return `${tests.length} tests, ${seconds} s${bad > 0 ? `, ${bad} FAILED` : ""}`
}

/** Everyday jobs in a real browser. A test that needed luck is a failed test. */
async function runBrowser(): Promise<Outcome> {
  say("\nEveryday jobs in a real browser")
  const folder = mkdtempSync(join(tmpdir(), "laurel-test-"))
  const report = join(folder, "report.json")
  const stop = printPlan(() => "a browser test")
  const code = await new Promise<number>((resolve) => {
    const child = spawn("playwright", ["test", "--reporter=list,json"], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    })
    child.stdout.on("data", (chunk: Buffer) => {
      lastLine = performance.now()
      process.stdout.write(chunk)
    })
    child.once("error", () => resolve(1))
    child.once("close", (status) => resolve(status ?? 1))
  })
  stop()
  try {
    const outcome = readBrowserReport(report)
    if (code === 0 || outcome.failed.length > 0) return outcome
    return { ...outcome, failed: [`the browser tests ended with ${code}`] }
  } catch (error) {
    return { passed: 0, failed: [`the browser tests left no report: ${String(error)}`] }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readBrowserReport(file: string): Outcome {
  const specs = specsOf(suite.parse(JSON.parse(readFileSync(file, "utf8"))))
  const statuses = specs.flatMap(({ tests }) => tests.map(({ status }) => status))
  const bad = specs.filter(({ tests }) => tests.some(({ status }) => /^(unexpected|flaky)$/.test(status)))
  return {
    passed: statuses.filter((status) => status === "expected").length,
    failed: bad.map(({ file: from, title, tests }) => {
      const errors = tests.flatMap(({ results }) => results).flatMap((result) => result.errors)
      return `tests/e2e/${from}: ${title}${errorLines(errors)}`
    }),
  }
}

function specsOf({ specs = [], suites = [] }: z.output<typeof suite>): z.output<typeof spec>[] {
  return [...specs, ...suites.flatMap(specsOf)]
}

/** Names what is under way whenever nothing was said for a while. Returns what ends it. */
function printPlan(what: () => string): () => void {
  const timer = setInterval(() => {
    if (performance.now() - lastLine >= longestSilence) say(`       ... running: ${what()}`)
  }, 1000)
  return () => clearInterval(timer)
}

function say(text: string): void {
  lastLine = performance.now()
  process.stdout.write(`${text}\n`)
}

const requested = process.argv.slice(2)
const outcomes: Outcome[] = []
if (requested.length === 0 || requested.includes("unit")) outcomes.push(await runUnit())
if (requested.length === 0 || requested.includes("browser")) outcomes.push(await runBrowser())

const failed = outcomes.flatMap((outcome) => outcome.failed)
const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0)
if (failed.length > 0) say(`\nFailed:\n${failed.map((name) => `  ${name}`).join("\n")}\n`)
say(`${passed} passed, ${failed.length} failed`)
process.exit(failed.length === 0 && passed > 0 ? 0 : 1)
