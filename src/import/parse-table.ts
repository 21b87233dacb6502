import Papa from "papaparse"
import { unescapeCell } from "../lib/csv.ts"
import { formatCount } from "../lib/format.ts"
import { Refusal } from "./read-file.ts"
import { delimiters, importLimits, metadataKey, type Delimiter } from "./recipe.ts"

export type Table = ReturnType<typeof parseTable>

/**
 * Splits a text into cells, without blank rows and columns at the end; a formula is text. Spaces around a cell are
 * removed, except at the end of `metadata.region `, where they belong to the key. `numbers` are the spreadsheet's row
 * numbers, from 1; `badQuotes`: indexes of rows with an unmatched quote.
 * @throws Refusal when a quote is never closed, or there are too many columns or rows
 */
export function parseTable(given: string, chosen?: Delimiter) {
  const all = given.replaceAll(/\r\n?/g, "\n")
  // Excel writes the delimiter in the first line: `sep=;`.
  const sign = /^sep=([,;\t|])\n/i.exec(all)?.[1]
  const named = delimiters.find((each) => each === sign)
  const text = named === undefined ? all : all.slice(all.indexOf("\n") + 1)
  const first = named === undefined ? 1 : 2
  const delimiter = chosen ?? named ?? detectDelimiter(text)

  const { data, errors } = Papa.parse<string[]>(text, { delimiter, newline: "\n" })
  const open = errors.find((error) => error.code === "MissingQuotes")
  if (open !== undefined) {
    throw new Refusal(
      `A quote in row ${formatCount((open.row ?? 0) + first)} is never closed: everything after it would be one cell.`,
      "Close the quote, or delete it, and choose the file again.",
    )
  }
  const quoteRows = new Set(errors.filter((error) => error.type === "Quotes").map((error) => error.row ?? 0))

  const rows: string[][] = []
  const numbers: number[] = []
  const badQuotes = new Set<number>()
  let width = 0
  for (const [at, cells] of data.entries()) {
    const row = cells.map((cell) => plainCell(metadataKey(cell) === null ? cell.trim() : cell.trimStart()))
    while (row.length > 0 && row.at(-1) === "") row.pop()
    if (row.length === 0) continue
    if (quoteRows.has(at)) badQuotes.add(rows.length)
    width = Math.max(width, row.length)
    rows.push(row)
    numbers.push(at + first)
  }
  if (width > importLimits.columns) {
    throw new Refusal(
      `This file has ${formatCount(width)} columns; up to ${importLimits.columns} can be read.`,
      "Delete the columns that are not needed and choose the file again.",
    )
  }
  if (rows.length > importLimits.rows + 1) {
    throw new Refusal(
      `This file has ${formatCount(rows.length)} rows; up to ${formatCount(importLimits.rows)} can be read.`,
      "Split it into several files and import them one after the other.",
    )
  }
  for (const row of rows) {
    while (row.length < width) row.push("")
  }
  return { delimiter, rows, numbers, width, badQuotes }
}

/** The displayed text of a cell: for `="0034"`, which preserves zeros and computes nothing, the quoted text. */
export function plainCell(text: string): string {
  const quoted = /^="((?:[^"]|"")*)"$/.exec(text)?.[1]
  return quoted === undefined ? unescapeCell(text) : quoted.replaceAll('""', '"').trim()
}

/**
 * A range as spreadsheets copy it: cells separated by tabs, rows by line breaks. Cells that contain one of these are
 * quoted; a quotation mark at the start of any other text is part of it.
 */
export function parseRange(text: string): readonly (readonly string[])[] {
  const plain = text.replaceAll(/\r\n?/g, "\n").replace(/\n$/, "")
  if (plain === "") return []
  const rows: string[][] = [[]]
  const cells = /(?:"([^"]*(?:""[^"]*)*)"(?=[\t\n]|$)|([^\t\n]*))([\t\n]|$)/g
  for (const [, quoted, bare = "", end] of plain.matchAll(cells)) {
    rows.at(-1)?.push(plainCell((quoted?.replaceAll('""', '"') ?? bare).trim()))
    if (end === "") break
    if (end === "\n") rows.push([])
  }
  return rows
}

/** Rows and characters used to detect the delimiter: more than sixty rows of ordinary text. */
const sampleRows = 60
const sampleCharacters = 100_000

/** The delimiter that splits most rows into the same number of cells; a comma for a single column. */
export function detectDelimiter(text: string): Delimiter {
  const sample = text.slice(0, sampleCharacters)
  // A comma only between digits is more likely a decimal comma: it loses against an equal score.
  const isDecimal = !/(^|[^\d]),|,([^\d]|$)/m.test(sample)
  const scored = delimiters.map((delimiter) => ({
    delimiter,
    score: evenness(sample, delimiter) - (delimiter === "," && isDecimal ? 0.005 : 0),
  }))
  const [best] = scored.toSorted((one, other) => other.score - one.score)
  return best !== undefined && best.score > 0 ? best.delimiter : ","
}

function evenness(sample: string, delimiter: Delimiter): number {
  const { data } = Papa.parse<string[]>(sample, { delimiter, newline: "\n", preview: sampleRows })
  const rows = data.filter((row) => row.some((cell) => cell.trim() !== ""))
  const scores = [...Map.groupBy(rows, (row) => row.length)].map(([width, alike]) =>
    width > 1 ? alike.length / rows.length + Math.min(width, 20) / 100 : 0,
  )
  return Math.max(0, ...scores)
}

/** Number of rows searched for the header: there may be a title above it. */
const headerRows = 5

/** The header row (`at`, null: none): the one with most known names. `notes` describe the ignored rows. */
export function findHeader({ rows, numbers }: Table, isName: (text: string) => boolean) {
  const known = rows.slice(0, headerRows).map((row) => row.filter(isName).length)
  const most = Math.max(0, ...known)
  if (most === 0) return { at: rows[0] === undefined || rows[0].some(isData) ? null : 0, notes: [] }
  const at = known.indexOf(most)
  if (at === 0) return { at, notes: [] }
  const note =
    at === 1
      ? `Row ${numbers[0]} is above the column names and is ignored.`
      : `Rows ${numbers[0]} to ${numbers[at - 1]} are above the column names and are ignored.`
  return { at, notes: [note] }
}

/** A number with at least two digits, an e-mail address, or an id (letters and digits in one word). */
function isData(text: string): boolean {
  return (
    /^[+\-\u2212]?\d[\d., \u00A0]*\d$/.test(text) ||
    /^\S+@\S+\.\S+$/.test(text) ||
    /^(?=\S*\d\S*\d)\S{6,}$/.test(text)
  )
}

/** Whether a row below the header is a second header: at least one known name, and no digit in any cell. */
export function isSecondHeader(row: readonly string[], isName: (text: string) => boolean): boolean {
  return row.some(isName) && row.every((cell) => !/\d/.test(cell))
}
