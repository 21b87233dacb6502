import Papa from "papaparse"
import * as z from "zod/mini"
import { createStored } from "./browser-storage.ts"
import { saveFile } from "./save-file.ts"

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

/** Separator of a downloaded file: comma, or semicolon for Excel with a decimal comma. */
type CsvStyle = z.output<typeof csvChoice>["style"]

const csvChoice = z.object({ style: z.enum(["comma", "semicolon"]) })
const useStyle = createStored<z.output<typeof csvChoice>>("laurel-csv-style", csvChoice, { style: "comma" })

/** The style chosen in this browser. */
export const csvStyle = () => useStyle.getState().style

export const saveCsvStyle = (style: CsvStyle) => useStyle.setState({ style })

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

/** Destination of a streamed download. */
export interface FileSink {
  readonly write: (text: string) => Promise<void>
  /** Discards what was written, because the list has changed. */
  readonly restart: () => Promise<void>
  readonly close: () => Promise<void>
  readonly abort: () => Promise<void>
}

declare global {
  interface Window {
    showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>
  }
}

/**
 * Opens a file for writing. Large files are streamed to a place that the user chooses, if the browser supports it, so
 * that they need no memory; others are assembled in memory and downloaded. Must be called during a click.
 * @throws DOMException `AbortError` when the user cancels the file dialog
 */
export async function openFileSink(name: string, large: boolean): Promise<FileSink> {
  if (!large || window.showSaveFilePicker === undefined) return collected(name)
  const handle = await window.showSaveFilePicker({ suggestedName: name })
  return streamed(await handle.createWritable())
}

function streamed(file: FileSystemWritableFileStream): FileSink {
  return {
    write: (text) => file.write(text),
    restart: async () => {
      await file.truncate(0)
      await file.seek(0)
    },
    close: () => file.close(),
    abort: () => file.abort(),
  }
}

function collected(name: string): FileSink {
  let parts: string[] = []
  const empty = () => {
    parts = []
    return Promise.resolve()
  }
  return {
    write: (text) => {
      parts.push(text)
      return Promise.resolve()
    },
    restart: empty,
    close: () => {
      saveFile(name, new Blob(parts, { type: "text/csv;charset=utf-8" }))
      return empty()
    },
    abort: empty,
  }
}

/** A CSV file written row by row. */
export interface CsvSink {
  /** Starts or restarts the file; `further` columns follow its own. */
  readonly begin: (further?: readonly string[]) => Promise<void>
  readonly add: (rows: Iterable<readonly CsvCell[]>) => Promise<void>
}

/** Spreadsheets read UTF-8 only with a byte order mark. */
const byteOrderMark = "\uFEFF"

/** Writes CSV in chunks, each escaped against formulas like `toCsv`. */
export function csvSink(file: FileSink, columns: readonly string[], style: CsvStyle = "comma"): CsvSink {
  let all = columns
  let head = toCsv({ columns, rows: [], style })
  return {
    begin: async (further = []) => {
      all = [...columns, ...further]
      head = toCsv({ columns: all, rows: [], style })
      await file.restart()
      await file.write(byteOrderMark + head)
    },
    // Each chunk is made with the header line, which is then removed, so that it starts with a new line.
    add: (rows) => file.write(toCsv({ columns: all, rows, style }).slice(head.length)),
  }
}
