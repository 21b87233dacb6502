import { describe, expect, test } from "vitest"
import { testSheet } from "../../../tests/support/import/open-sheet.ts"
import { readDay } from "./book-match.ts"

describe("a date of a finance file", () => {
  test.each([
    ["2026-10-05", "2026-10-05"],
    ["2026/10/5", "2026-10-05"],
    ["2026-10-05T14:30:00Z", "2026-10-05"],
    ["5/10/2026", "2026-10-05"],
    ["05.10.26", "2026-10-05"],
    ["10/31/2026", "2026-10-31"],
    ["5 Oct 2026", "2026-10-05"],
    ["5-October-2026 14:30", "2026-10-05"],
    ["Oct 5, 2026", "2026-10-05"],
  ])("%s is read as %s", (text, day) => {
    expect(readDay(text)).toEqual({ value: day })
  })

  test("that can be read in two ways is the one in the month", () => {
    expect(readDay("10/05/2026", "2026-10")).toEqual({ value: "2026-10-05" })
    expect(readDay("10/05/2026", "2026-05")).toEqual({ value: "2026-05-10" })
    expect(readDay("10/05/2026", "2026-07")).toEqual({ value: "2026-05-10" })
  })

  test.each(["31/02/2026", "yesterday", "46300", "5/10"])("%s is no date", (text) => {
    expect(readDay(text)).toEqual({ problem: "Not a date: write 2026-10-05" })
  })
})

test("points of a finance file are negative in every form that finance systems write", async () => {
  const forms = ["-280", "(280)", "\u2013280", "280-"]
  const sheet = testSheet("book-match")
  await sheet.paste(
    ["reference\tpoints\tdate", ...forms.map((text) => `INV-1\t${text}\t2026-10-05`)].join("\n"),
  )
  expect((await sheet.accepted()).map(({ points }) => points)).toEqual(forms.map(() => -280))
})
