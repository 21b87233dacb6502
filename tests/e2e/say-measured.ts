import type { TestInfo } from "@playwright/test"

/** Says a figure where both the report and a person at the terminal see it. */
export function sayMeasured(info: TestInfo, words: string): void {
  info.annotations.push({ type: "measured", description: words })
  process.stdout.write(`${words}\n`)
}

/** "3 clicks (Award, Done), 12 keys": what a person did, in the words of the report. */
export function effortWords(what: string, clicks: readonly string[], keys: readonly string[]): string {
  const named = clicks.length === 0 ? "" : ` (${clicks.join("; ")})`
  return `${what}: ${clicks.length} clicks${named}, ${keys.length} keys`
}
