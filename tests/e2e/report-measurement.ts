import type { TestInfo } from "@playwright/test"

/** Says a figure where both the report and a person at the terminal see it. */
export function reportMeasurement(info: TestInfo, words: string): void {
  info.annotations.push({ type: "measured", description: words })
  process.stdout.write(`${words}\n`)
}
