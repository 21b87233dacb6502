import { availableParallelism } from "node:os"
import { defineConfig } from "@playwright/test"
import { findBrowser } from "./scripts/browser.mjs"

const executablePath = await findBrowser()

/** What takes longest, mostly waiting for settle times: it begins first, and all else fits in between. */
const waiting = /\/(everyday|money-trouble|points-places|ship)\.spec\.ts$/

/**
 * Off: two pages that a Chromium with an address field loads for every window, and a process in reserve for the next
 * page. They cost half as much as what a short test looks at. The last such argument counts, so what Playwright itself
 * turns off stands here again.
 */
const featuresOff = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "SpareRendererForSitePerProcess",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
]

/** Everyday jobs in a real browser. No retries: a test that needs luck is a defect. */
export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  // A page mostly waits for its server, its pictures and its clock: no core is kept free.
  workers: Math.max(2, Math.ceil(availableParallelism() * 1.5)),
  fullyParallel: true,
  retries: 0,
  // For what hangs: a slow machine is given its time.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  forbidOnly: true,
  reporter: "list",
  projects: [
    { name: "waiting", testMatch: waiting },
    { name: "working", testIgnore: waiting },
  ],
  use: {
    viewport: { width: 1440, height: 900 },
    locale: "en-AU",
    timezoneId: "Australia/Brisbane",
    reducedMotion: "reduce",
    // It would answer in a test's place. Those of working offline, and of the demo, allow it.
    serviceWorkers: "block",
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        `--disable-features=${featuresOff.join(",")}`,
        // Chromium refuses its own sandbox when it runs as root, as it does in most containers.
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      ],
    },
  },
})
