import { expect, it } from "vitest"
import { rangeWords } from "./days.ts"

it.each([
  [{ from: "2026-09-01", to: "2026-11-21" }, "1 Sep 2026 to 21 Nov 2026"],
  [{ from: "2026-06-05", to: "2026-06-05" }, "5 Jun 2026"],
  [{ from: "2026-11-01" }, "Since 1 Nov 2026"],
  [{ to: "2026-11-01" }, "Until 1 Nov 2026"],
  [{}, undefined],
])("the days %o read %s", (range, words) => {
  expect(rangeWords(range)).toBe(words)
})
