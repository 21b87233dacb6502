import * as fc from "fast-check"
import { expect, it } from "vitest"
import { sameValue } from "./same-value.ts"

const json = fc.jsonValue()

it("a value equals its copy in any order of keys", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), json), (value) => {
      const copy = Object.fromEntries(Object.entries(structuredClone(value)).toReversed())
      expect(sameValue(value, copy)).toBe(true)
    }),
  )
})

it("distinguishes the same values as JSON", () => {
  fc.assert(
    fc.property(json, json, (one, other) => {
      fc.pre(JSON.stringify(one) !== JSON.stringify(other))
      expect(sameValue(one, other)).toBe(sortedText(one) === sortedText(other))
    }),
  )
})

/** JSON with the keys of every object in order, and one zero. */
function sortedText(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
