import { existsSync } from "node:fs"
import { Stryker } from "@stryker-mutator/core"

/** Modules that decide about rows, and the adapter of pg-boss; a suite must prove each of their rules. */
const mutated = [
  ...[
    "absence",
    "call",
    "call-outcome",
    "job-actions",
    "reconcile",
    "reconcile-decision",
    "send-bulk",
    "send-single",
    "transitions",
  ].map((name) => `core/jobs/${name}.ts`),
  "bff/store/row-changes.ts",
  "bff/dispatch/pg-boss.ts",
]

/** Minimum share of killed mutants, in percent; `mutation.md` lists the survivors and why. */
const leastKilled = 90

/**
 * Mutates the modules that decide about rows and checks that a suite fails: finds safeguards that no test needs.
 * @param only mutate only these files
 */
export async function runMutations(
  only: string | undefined,
): Promise<{ lines: readonly string[]; missed: readonly string[] }> {
  const files = only === undefined ? mutated : [only]
  // Stryker passes over a name without a file.
  const unknown = files.filter((file) => !existsSync(file))
  if (unknown.length > 0) throw new Error(`There is no ${unknown.join(", ")}.`)
  const results = await new Stryker({
    mutate: files,
    testRunner: "vitest",
    vitest: { configFile: "tests/faults/mutation.config.ts", related: false },
    plugins: ["@stryker-mutator/vitest-runner"],
    reporters: ["clear-text", "json"],
    clearTextReporter: { allowColor: false, reportTests: false, reportScoreTable: true },
    jsonReporter: { fileName: ".stryker/report.json" },
    tempDirName: ".stryker/sandbox",
    ignorePatterns: ["/src", "/dist", "/docs", "/.data"],
    ignoreStatic: true,
    coverageAnalysis: "perTest",
    concurrency: 2,
    // Results stay valid while the module and its suites are unchanged, so modules can run one by one.
    incremental: true,
    incrementalFile: ".stryker/incremental.json",
    timeoutMS: 5000,
    // Nonexistent on purpose: Stryker would read the project's with an older compiler.
    tsconfigFile: "none.json",
    thresholds: { high: 95, low: 90, break: null },
    allowEmpty: true,
  }).runMutationTest()
  const counts = Map.groupBy(results, ({ status }) => status)
  const count = (...states: Parameters<typeof counts.get>[0][]) =>
    states.reduce((sum, state) => sum + (counts.get(state)?.length ?? 0), 0)
  const killed = count("Killed", "Timeout")
  const valid = killed + count("Survived", "NoCoverage")
  const part = valid === 0 ? 100 : (100 * killed) / valid
  const lines = [`mutation: ${killed} of ${valid} mutants noticed, ${part.toFixed(1)} %`]
  return {
    lines,
    missed: part < leastKilled ? [`less than ${leastKilled} % of the mutants were noticed`] : [],
  }
}
