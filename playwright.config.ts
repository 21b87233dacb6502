import { availableParallelism } from "node:os"
import { defineConfig } from "@playwright/test"
import { findBrowser } from "./scripts/browser.mjs"

const executablePath = await findBrowser()

/** Everyday jobs in a real browser. No retries: a test that needs luck is a defect. */
export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  // A page mostly waits for its server, its pictures and its clock: no core is kept free.
  workers: Math.max(2, Math.ceil(availableParallelism() * 1.5)),
  fullyParallel: false,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  reporter: "list",
  use: {
    viewport: { width: 1440, height: 900 },
    locale: "en-AU",
    timezoneId: "Australia/Brisbane",
    reducedMotion: "reduce",
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      // Chromium refuses its own sandbox when it runs as root, as it does in most containers.
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    },
  },
})
