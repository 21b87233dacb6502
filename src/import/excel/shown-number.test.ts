import { describe, expect, test } from "vitest"
import { workbookFile } from "../../../tests/support/import/workbook-file.ts"
import { readWorkbook, type WorkbookChoice } from "./workbook.ts"

/** One number in a cell with a format, as it is read. */
async function shown(
  value: string | number,
  format: number | string = 0,
  choice: WorkbookChoice = {},
  properties = "",
) {
  const rows = `<row><c s="1"><v>${value}</v></c><c><v>7</v></c></row>`
  const file = await workbookFile({ sheets: { Sheet1: rows }, formats: [0, format], properties })
  const table = await readWorkbook(file, choice, () => {})
  const cells = [...(table.cellNotes ?? [])].flatMap(([row, found]) =>
    found.map(({ column, text, severity, fix }) => [row, column, severity, text, fix?.text]),
  )
  return { text: table.rows[0]?.[0], cells, notes: table.notes }
}

describe("a number is read as Excel shows it", () => {
  test.each([
    [750, 0, "750"],
    ["1.25E3", 0, "1250"],
    ["12345678901", 0, "12345678901"],
    ["0.1", 0, "0.1"],
    ["0.30000000000000004", 0, "0.3"],
    ["1E-4", 0, "0.0001"],
    [123, "00000", "00123"],
    [42, "000-000", "000-042"],
    [1250, 3, "1,250"],
    [-1250.5, 4, "-1,250.50"],
    [0.25, 9, "25%"],
    [0.125, 10, "12.50%"],
    [1250, '#,##0" points"', "1,250 points"],
    [1250.5, "#,##0.00\\ [$€-407]", "1,250.50 €"],
    [1250, '_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)', "$1,250.00"],
    [-1250, "#,##0 ;(#,##0)", "(1,250)"],
    [-50, "#,##0_);(#,##0)", "(50)"],
    [-50, "0;\u20130", "\u201350"],
    [-5, "#,##0;[Red]-#,##0", "-5"],
    [12, 49, "12"],
    [0, "0;-0;;@", ""],
    [46356, "yyyy-mm-dd", "2026-11-30"],
    [46356, "dd/mm/yyyy;@", "30/11/2026"],
    [46356, 15, "30-Nov-26"],
    [46356, "[$-407]d. mmmm yyyy", "30. November 2026"],
    [46356, 14, "2026-11-30"],
    [46356.75, 22, "2026-11-30 18:00"],
    [46356, "[$-F800]dddd, mmmm dd, yyyy", "2026-11-30"],
    [60, "yyyy-mm-dd", "1900-02-29"],
    [0.75, 20, "18:00"],
    [1.5, 46, "36:00:00"],
  ])("%s with %s: %s", async (value, format, text) => {
    expect(await shown(value, format)).toMatchObject({ text, cells: [] })
  })

  test("dates from 1904 are four years and a day later; durations are not", async () => {
    const properties = '<workbookPr date1904="1"/>'
    expect((await shown(44894, "yyyy-mm-dd", {}, properties)).text).toBe("2026-11-30")
    expect((await shown(1.5, "[h]:mm", {}, properties)).text).toBe("36:00")
    const { notes } = await shown(44894, 14, {}, properties)
    expect(notes).toEqual([
      "Dates that follow each computer’s settings are read as year-month-day, such as 2026-11-30.",
      "This workbook counts dates from 1904, as older Macs did. They are read that way.",
    ])
  })

  test("in the chosen number style", async () => {
    expect((await shown(-1250.5, 4, { style: "," })).text).toBe("-1.250,50")
    expect((await shown(12.5, 0, { style: "," })).text).toBe("12,5")
  })
})

describe("a cell that Excel shows otherwise than it holds is marked", () => {
  test.each([
    ["rounded", 12.5, "0", "check", "Excel shows 13, the cell holds 12.5", "12.5"],
    ["rounded in a percentage", 0.125, "0%", "check", "Excel shows 13%, the cell holds 0.125", "0.125"],
    ["in thousands", 1_250_000, "#,##0,", "check", "Excel shows 1,250, the cell holds 1250000", "1250000"],
    ["as a word", 50, '[<100]"low";0', "check", "Excel shows low, the cell holds 50", "50"],
    ["hidden", 5, ";;;", "check", "Excel shows nothing, the cell holds 5", "5"],
    ["as a fraction", 0.5, 12, "check", "Excel shows 1/2, the cell holds 0.5", "0.5"],
    [
      "without its minus",
      -500,
      "#,##0;[Red]#,##0",
      "problem",
      "Excel shows 500, the cell holds -500",
      "-500",
    ],
    [
      "shortened",
      123_456_789_012,
      0,
      "problem",
      "Excel shows 1.23457E+11, the cell holds 123456789012",
      "123456789012",
    ],
    [
      "shortened by its format",
      12_345_678,
      11,
      "problem",
      "Excel shows 1.23E+07, the cell holds 12345678",
      "12345678",
    ],
    [
      "with lost digits",
      "1.23456789012345E+16",
      "0",
      "problem",
      "Excel keeps 15 digits of a number: the last ones of 12345678901234500 are lost",
      undefined,
    ],
    [
      "with digits that Excel would lose",
      "12345678901234567",
      0,
      "problem",
      "Excel keeps 15 digits of a number: the last ones of 12345678901234567 are lost",
      undefined,
    ],
    [
      "with an unknown format",
      5,
      "bogus[[",
      "check",
      "Its number format is unknown: compare it with Excel",
      undefined,
    ],
  ])("%s", async (_, value, format, severity, text, fix) => {
    expect((await shown(value, format)).cells).toEqual([[0, 0, severity, text, fix]])
  })

  test("a date before the first one is an error, as in Excel", async () => {
    expect((await shown(-3, "yyyy-mm-dd")).text).toMatch(/^#+$/)
  })

  test("all digits of shortened numbers can be read", async () => {
    expect(await shown(123_456_789_012, 0, { allDigits: true })).toMatchObject({
      text: "123456789012",
      cells: [],
    })
  })
})
