import type { TestInfo } from "@playwright/test"

/** Adds a figure to the report and prints it. */
export function reportMeasurement(info: TestInfo, text: string): void {
  info.annotations.push({ type: "measured", description: text })
  process.stdout.write(`${text}\n`)
}
