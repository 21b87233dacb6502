import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { notBefore } from "./request.ts"

beforeEach(() => {
  vi.useFakeTimers({ now: 10_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

test("a moment that has passed is not waited for", async () => {
  await notBefore(9000, new AbortController().signal)
  expect(vi.getTimerCount()).toBe(0)
})

test("a moment ahead is waited for, to the millisecond", async () => {
  let over = false
  const waiting = notBefore(13_000, new AbortController().signal).then(() => (over = true))
  await vi.advanceTimersByTimeAsync(2999)
  expect(over).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await waiting
  expect(over).toBe(true)
})

test("whoever gives up waits no longer, and no timer stays", async () => {
  const asking = new AbortController()
  const waiting = notBefore(13_000, asking.signal)
  const gone = new Error("gone")
  asking.abort(gone)
  await expect(waiting).rejects.toBe(gone)
  expect(vi.getTimerCount()).toBe(0)
})
