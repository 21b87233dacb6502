import { afterEach, beforeEach, expect, vi } from "vitest"

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
  expect(logged, "console.error was called").toEqual([])
})
