import * as fc from "fast-check"
import { expect, it } from "vitest"
import { createCache, type CachedResponse } from "./cache.ts"
import { matchesEtag, renderRead } from "../gateway/reads.ts"

const response = (
  data: unknown,
  requestedAt = 0,
  size = 10,
  tags: readonly string[] = [],
): CachedResponse => ({
  data,
  meta: undefined,
  requestedAt,
  answeredAt: requestedAt,
  at: requestedAt,
  tags,
  size,
})

it("stays within its bounds for any input, and counts correctly", () => {
  const put = fc.record({ key: fc.integer({ min: 0, max: 30 }), size: fc.integer({ min: 1, max: 60 }) })
  fc.assert(
    fc.property(fc.array(put, { maxLength: 200 }), (puts) => {
      const cache = createCache({ entries: 10, bytes: 200 })
      for (const [at, { key, size }] of puts.entries())
        cache.put(`k${key}`, response(at, at, size, [`t${key % 3}`]))
      expect(cache.entries()).toBeLessThanOrEqual(10)
      expect(cache.bytes()).toBeLessThanOrEqual(200)
      cache.evict(["t0", "t1", "t2"])
      expect([cache.entries(), cache.bytes()]).toEqual([0, 0])
    }),
  )
})

it("lets the least recently used go first", () => {
  const cache = createCache({ entries: 2, bytes: 1000 })
  cache.put("a", response("a"))
  cache.put("b", response("b"))
  cache.get("a")
  cache.put("c", response("c"))
  expect(["a", "b", "c"].map((key) => cache.get(key)?.response.data)).toEqual(["a", undefined, "c"])
})

it("keeps the response that was requested later, in either order of arrival", () => {
  const cache = createCache({ entries: 2, bytes: 1000 })
  cache.put("a", response("younger", 2))
  cache.put("a", response("older", 1))
  expect(cache.get("a")?.response.data).toBe("younger")
})

it("makes responses stale by tag until a younger one comes", () => {
  const cache = createCache({ entries: 9, bytes: 1000 })
  cache.put("list", response("list", 1, 10, ["members"]))
  cache.markStale(["members"])
  expect(cache.get("list")?.stale).toBe(true)
  cache.put("list", response("again", 2, 10, ["members"]))
  expect(cache.get("list")?.stale).toBe(false)
})

it("gives different texts different tags and knows its own again", () => {
  const tagOf = (data: string) => {
    const reader = { role: "admin", ifNoneMatch: undefined, now: 0 } as const
    return renderRead({ response: { ...response("list", 1), data } }, undefined, reader).headers["ETag"] ?? ""
  }
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      expect(tagOf(one) === tagOf(other)).toBe(one === other)
      expect(matchesEtag(`"x", W/${tagOf(one)}`, tagOf(one))).toBe(true)
    }),
  )
  expect(matchesEtag(undefined, tagOf("a"))).toBe(false)
})
