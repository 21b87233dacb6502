import fc from "fast-check"
import Papa from "papaparse"
import { describe, expect, test } from "vitest"
import { toCsv, unescapeCell } from "./csv.ts"

describe("a file to download", () => {
  test.each(["=1+1", "+1+1", "-1-A1", "+A1", "-", "@SUM(A1)", "\tx", "＝1", "'=1", "'+61"])(
    "%j gets an apostrophe",
    (text) => {
      expect(Papa.parse<string[]>(toCsv({ columns: ["a"], rows: [[text]] })).data[1]).toEqual([`'${text}`])
    },
  )

  test.each(["+61 400 123 456", "+1", "-1", "-1,250.50", "+1 (312) 555 0100"])(
    "%j begins a number: plain, in quotes",
    (text) => {
      expect(toCsv({ columns: ["a"], rows: [[text]] })).toBe(`a\r\n"${text}"`)
      // As in files of earlier versions.
      expect(unescapeCell(`'${text}`)).toBe(text)
    },
  )

  test.each([
    ["Paid;=1+1", "Paid;'=1+1"],
    ["a\t＠SUM(A1)", "a\t'＠SUM(A1)"],
    ["a\n-A1", "a\n'-A1"],
    ["a,+A1", "a,'+A1"],
    ["\r=1", "'\r'=1"],
    ["see;+61 400 123 456;-5", "see;+61 400 123 456;-5"],
    ["a = b; c - d, @e", "a = b; c - d, @e"],
  ])("%j starts no formula in a cell with another separator", (text, written) => {
    const read = Papa.parse<string[]>(toCsv({ columns: ["a"], rows: [[text]] }), { delimiter: "," })
    expect(read.data[1]).toEqual([written])
    expect(unescapeCell(written)).toBe(text)
  })

  test("the Excel style separates cells with semicolons and uses decimal commas", () => {
    const rows = [["a;b", 12.5, -300, "1,5", "=1"]]
    expect(toCsv({ columns: ["t", "n", "m", "u", "f"], rows, style: "semicolon" })).toBe(
      't;n;m;u;f\r\n"a;b";12,5;-300;1,5;"\'=1"',
    )
  })

  test("numbers stay numbers, and column names are escaped too", () => {
    expect(
      toCsv({
        columns: ["=a", "b"],
        rows: [
          [-300, 1250],
          [null, true],
          ["it's", undefined],
        ],
      }),
    ).toBe("\"'=a\",b\r\n-300,1250\r\n,true\r\nit's,")
  })

  test("any written text is read back unchanged", () => {
    const lead = fc.constantFrom("", "=", "+", "-", "@", "\t", "'", "''=", "＝", "a;", ";=", "a,'", "\n''-")
    const cell = fc
      .tuple(lead, fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[\d ().,+-]*$/)))
      .map(([sign, text]) => sign + text)
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
        (rows) => {
          const text = toCsv({ columns: ["a", "b"], rows })
          const { data } = Papa.parse<string[]>(text, { newline: "\r\n", delimiter: "," })
          expect(data.slice(1).map((row) => row.map(unescapeCell))).toEqual(rows)
        },
      ),
    )
  })
})
