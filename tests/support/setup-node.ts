import { afterEach, beforeEach, vi } from "vitest"

// Long enough that a busy machine does not fail a test.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

/**
 * A logged `console.error` fails the test that caused it: React warnings, swallowed rejections and
 * forgotten keys are defects, not noise. A test that expects one replaces the spy and asserts on it.
 */
let logged: unknown[][] = []

beforeEach(() => {
  logged = []
  vi.spyOn(console, "error").mockImplementation((...args: unknown[]) => {
    logged.push(args)
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
  if (logged.length > 0) throw new Error(`console.error was called: ${JSON.stringify(logged)}`)
})
