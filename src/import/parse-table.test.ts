import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { toCsv } from "../lib/csv.ts"
import { detectDelimiter, parseRange, parseTable, readFileText } from "./read-file.ts"

/** Text of a cell: trimmed, with normalised line ends. */
const cell = fc.string({ unit: "binary", minLength: 1 }).map((text) => text.replaceAll(/\r\n?/g, "\n").trim())

const table = fc
  .array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 8 })
  // Empty cells at the end are removed, so each row ends in a text.
  .map((rows) => rows.map((row) => [...row.slice(0, 2), `${row[2]}x`]))

describe("a table", () => {
  test("written by Laurel is read back unchanged", () => {
    fc.assert(
      fc.property(table, (rows) => {
        const read = parseTable(toCsv({ columns: ["a", "b", "c"], rows }), ",")
        expect(read.rows.slice(1)).toEqual(rows)
      }),
    )
  })

  test("keeps every byte of its text in every encoding that has it", async () => {
    const line = fc.string({ unit: "grapheme-composite", minLength: 1 })
    await fc.assert(
      fc.asyncProperty(line, async (text) => {
        const utf8 = await readFileText(new Blob(["\uFEFF", text]), undefined, () => {})
        expect(utf8).toEqual({ text, encoding: "utf-8" })
        const units = Uint16Array.from(`\uFEFF${text}`, (_, at) => `\uFEFF${text}`.charCodeAt(at))
        const wide = Uint16Array.from({ length: text.length + 1 }, (_, at) => `\uFEFF${text}`.charCodeAt(at))
        expect(units.length).toBeGreaterThan(0)
        expect(await readFileText(new Blob([wide]), undefined, () => {})).toEqual({
          text,
          encoding: "utf-16le",
        })
      }),
    )
  })

  test("numbers its rows like a spreadsheet, including blank ones", () => {
    const { rows, numbers } = parseTable('a,b\n\n"two\nlines",1\n,\nc,2\n', undefined)
    expect(rows.map((row) => row[0])).toEqual(["a", "two\nlines", "c"])
    expect(numbers).toEqual([1, 3, 5])
  })

  test.each([
    ["a,b;c\n1,2;3\n", ","],
    ["Anna;1,5\nBen;2,5\n", ";"],
    ["a\tb, c\n1\t2\n", "\t"],
    ["one\ntwo\n", ","],
  ])("%j is split by %j", (text, delimiter) => {
    expect(detectDelimiter(text)).toBe(delimiter)
  })
})

describe("a range from the clipboard", () => {
  test.each([
    [
      "a\tb\r\nc\t\r\n",
      [
        ["a", "b"],
        ["c", ""],
      ],
    ],
    [
      '"Star" of May\t1\nmem_2\t"',
      [
        ['"Star" of May', "1"],
        ["mem_2", '"'],
      ],
    ],
    ['"two\nlines"\t"a ""b"""\n"5"" pipe', [["two\nlines", 'a "b"'], ['"5"" pipe']]],
    ["", []],
  ])("%j", (text, rows) => {
    expect(parseRange(text)).toEqual(rows)
  })
})
