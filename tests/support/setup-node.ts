import { afterEach, beforeEach, vi } from "vitest"

// What hangs is ended; what is slow on a busy machine, such as a server of its own, is no failure.
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
