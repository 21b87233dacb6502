import Papa from "papaparse"

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
 * Writes a CSV file: comma, quotes where needed, CRLF after every line but the last. Text that a spreadsheet would run
 * as a formula gets an apostrophe in front (`unescapeCell` takes it away again), so an opened file computes nothing.
 */
export function toCsv(props: {
  readonly columns: readonly string[]
  readonly rows: Iterable<readonly CsvCell[]>
}): string {
  const { columns, rows } = props
  return Papa.unparse([[...columns], ...Array.from(rows, (row) => [...row])], {
    escapeFormulae: formulaLead,
    // What begins with a sign is text to whoever reads the quotes.
    quotes: (cell: unknown) => typeof cell === "string" && /^[+-]/.test(cell),
    newline: "\r\n",
  })
}

/** The text of a cell as it was before `toCsv` put an apostrophe in front of it. Any other text is left alone. */
export function unescapeCell(text: string): string {
  return text.startsWith("'") && formulaLead.test(text) ? text.slice(1) : text
}
