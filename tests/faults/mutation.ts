import { Stryker } from "@stryker-mutator/core"

/** What decides about rows: each of its rules has to be proven by a fast suite. */
const mutated = [
  "core/jobs/{absence,job-actions,outcome,reconcile,send,transitions}.ts",
  "bff/store/row-changes.ts",
]

/** The least part of the mutants that a suite has to notice, in percent; `mutation.md` says what survives and why. */
const leastKilled = 90

/**
 * Changes one expression after the other in the modules that decide about rows, and sees whether a suite turns red
 * (mutation testing): a safeguard that no test needs is found here.
 * @param only changes these files alone, such as one of them at a time
 */
export async function runMutations(
  only: string | undefined,
): Promise<{ lines: readonly string[]; missed: readonly string[] }> {
  const results = await new Stryker({
    mutate: only === undefined ? mutated : [only],
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
    // What was measured stays while neither the module nor its suites change, so that one can go module by module.
    incremental: true,
    incrementalFile: ".stryker/incremental.json",
    timeoutMS: 5000,
    // There is no such file: Stryker would read the project's with an older compiler than the project's own.
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
