import Papa from "papaparse"

/** A cell of a downloaded file. Numbers stay numbers, `-300` too; null and undefined are empty. */
export type CsvCell = string | number | boolean | null | undefined

/** The columns of a file by name, with the value of each for a record. */
export type CsvColumns<T> = Readonly<Record<string, (record: T) => CsvCell>>

/** Records as rows with a cell for each column. */
export function csvRows<T>(columns: CsvColumns<T>, records: readonly T[]): CsvCell[][] {
  return records.map((record) => Object.values(columns).map((cellOf) => cellOf(record)))
}

/**
 * Text that a spreadsheet evaluates as a formula (some accept full-width forms), or that starts with the escaping
 * apostrophe. A sign before a number, such as a phone's `+61 400 123 456`, computes nothing: digits in groups only.
 */
const formulaLead = /^(?![+-]\(?\d[\d ().,]*$)'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

/**
 * The same within a cell: a spreadsheet with another locale ends the cell at a semicolon, comma or tab, and ignores the
 * quotes.
 */
const innerLead =
  /(?<=[;,\t\r\n])(?![+-]\(?\d[\d ().,]*(?:[;\t\r\n\]}"]|$))'*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/g
const escapedLead = /(?<=[;,\t\r\n])'(?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g

/** Separator of a CSV file: comma, or semicolon for Excel with a decimal comma. */
export type CsvStyle = "comma" | "semicolon"

/**
 * Writes a CSV file: quotes where needed, CRLF between lines. Text that a spreadsheet would evaluate as a formula gets
 * a leading apostrophe (`unescapeCell` removes it), so an opened file computes nothing.
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
    // Quotes mark text with a leading sign as text.
    quotes: (cell: unknown) => typeof cell === "string" && /^[+-]/.test(cell),
    newline: "\r\n",
  })
}

/** Integers stay numbers; other numbers are written as text with a decimal comma. */
const decimalComma = (number: number) =>
  Number.isInteger(number) ? number : String(number).replace(".", ",")

/** A cell's text without the apostrophes that `toCsv` added. Any other text is unchanged. */
export function unescapeCell(text: string): string {
  const unescaped = text.startsWith("'") && formulaLead.test(text) ? text.slice(1) : text
  return unescaped.replaceAll(escapedLead, "")
}
