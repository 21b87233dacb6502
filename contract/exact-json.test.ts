import fc from "fast-check"
import { expect, it } from "vitest"
import { parseExact, restoreExact } from "./exact-json.ts"

it.each([
  "9007199254740993",
  "-9007199254740993",
  "12345678901234567890123",
  "0.12345678901234567890",
  // Exact in memory, and yet written out with other digits.
  "1152921504606846976",
  "1e400",
  "1.0000000000000000001",
])("%s goes through a parse with every digit", (number) => {
  for (const text of [`{"a":${number}}`, `[1,${number}]`, `{"a":[{"b":${number}}]}`])
    expect(JSON.stringify(parseExact(text))).toBe(text)
})

it("everything that is exact is read as always, and text is never taken for a number", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value)
      expect(parseExact(text)).toEqual(JSON.parse(text))
    }),
  )
  expect(parseExact('["9007199254740993",1.50,1e3,9007199254740992]')).toEqual([
    "9007199254740993",
    1.5,
    1000,
    9007199254740992,
  ])
})

it("numbers that a browser rounded are restored, and other unsafe numbers are reported", () => {
  const saved = parseExact('{"id":9007199254740993,"list":[1,{"deep":9007199254740995}],"plain":5}')
  const rounded: unknown = JSON.parse(JSON.stringify(saved))
  const problems: string[] = []
  expect(JSON.stringify(restoreExact(rounded, saved, "m", problems))).toBe(JSON.stringify(saved))
  expect(problems).toEqual([])
  restoreExact({ id: 9007199254741000, plain: 9007199254740992 }, saved, "m", problems)
  expect(problems).toEqual(["m.id", "m.plain"])
})
