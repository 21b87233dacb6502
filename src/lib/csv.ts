import Papa from "papaparse"
import { saveChoice, readChoice } from "./external-value.ts"

/** What a cell of a file to download may hold. Numbers stay numbers, `-300` too; null and undefined are empty. */
export type CsvCell = string | number | boolean | null | undefined

/** The columns of a file by their names, and what each holds of a record. */
export type CsvColumns<T> = Readonly<Record<string, (record: T) => CsvCell>>

/** Records as rows of a file, a cell for each column. */
export function csvRows<T>(columns: CsvColumns<T>, records: readonly T[]): CsvCell[][] {
  return records.map((record) => Object.values(columns).map((cellOf) => cellOf(record)))
}

/**
 * What a spreadsheet runs as a formula (some read full-width forms too), or carries our apostrophe. A sign that begins
 * a number, such as a phone's `+61 400 123 456`, computes nothing: digits in groups, and nothing else behind them.
 */
const formulaLead = /^(?![+-]\(?\d[\d ().,]*$)'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

/**
 * The same inside a cell: a spreadsheet of another country takes a semicolon, comma or tab for the end of the cell, and
 * does not see the quotes around it.
 */
const innerLead =
  /(?<=[;,\t\r\n])(?![+-]\(?\d[\d ().,]*(?:[;\t\r\n\]}"]|$))'*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/g
const escapedLead = /(?<=[;,\t\r\n])'(?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g

/** How a file to download is written: with commas, or as Excel reads it where a comma is the decimal sign. */
export type CsvStyle = "comma" | "semicolon"

const styleKey = "laurel:csv"

/** The style that was chosen in this browser. */
export const csvStyle = () => readChoice(styleKey, ["comma", "semicolon"], "comma")

export const saveCsvStyle = (style: CsvStyle) => saveChoice(styleKey, style)

/**
 * Writes a CSV file: quotes where needed, CRLF after every line but the last. Text that a spreadsheet would run as a
 * formula gets an apostrophe in front (`unescapeCell` takes it away again), so an opened file computes nothing.
 */
export function toCsv(props: {
  readonly columns: readonly string[]
  readonly rows: Iterable<readonly CsvCell[]>
  readonly style?: CsvStyle
}): string {
  const { columns, rows, style = "comma" } = props
  const cellText = (cell: CsvCell) => {
    if (typeof cell === "string") return cell.replaceAll(innerLead, "'$&")
    return typeof cell === "number" && style === "semicolon" ? decimalComma(cell) : cell
  }
  return Papa.unparse([[...columns], ...Array.from(rows, (row) => row.map(cellText))], {
    delimiter: style === "comma" ? "," : ";",
    escapeFormulae: formulaLead,
    // What begins with a sign is text to whoever reads the quotes.
    quotes: (cell: unknown) => typeof cell === "string" && /^[+-]/.test(cell),
    newline: "\r\n",
  })
}

/** A whole number stays one; else it is text to us, and a number where a comma is the decimal sign. */
const decimalComma = (number: number) =>
  Number.isInteger(number) ? number : String(number).replace(".", ",")

/** The text of a cell as it was before `toCsv` put apostrophes into it. Any other text is left alone. */
export function unescapeCell(text: string): string {
  const unescaped = text.startsWith("'") && formulaLead.test(text) ? text.slice(1) : text
  return unescaped.replaceAll(escapedLead, "")
}
