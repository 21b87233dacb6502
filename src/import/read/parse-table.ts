import Papa from "papaparse"
import { unescapeCell } from "../../lib/csv.ts"
import { formatCount } from "../../lib/format.ts"
import { importLimits } from "../limits.ts"
import { metadataKey } from "../recipes/metadata.ts"
import { detectDelimiter, namedDelimiter, type Delimiter } from "./delimiter.ts"
import { Refusal } from "./refusal.ts"

/** The cells of a file as text, blank rows and blank columns at the end left away. */
export interface Table {
  readonly delimiter: Delimiter
  /** Rows of cells; all as long as `width`, shorter ones filled up with "". */
  readonly rows: string[][]
  /** The number each row has in a spreadsheet, from 1. */
  readonly numbers: number[]
  readonly width: number
  /** Places in `rows` where a quote stands inside a cell without its partner. */
  readonly badQuotes: ReadonlySet<number>
}

/**
 * Cuts a text into cells. Nothing is computed: a formula is text like any other. Line ends of all three kinds are one;
 * blanks around a cell are dropped, except at the end of a name such as `metadata.region`, whose key they belong to; and
 * so is the apostrophe that our own downloads put before a formula.
 * @throws Refusal when a quote is never closed, or there are too many columns or rows
 */
export function parseTable(given: string, chosen: Delimiter | undefined): Table {
  const { delimiter: said, text } = namedDelimiter(given.replaceAll(/\r\n?/g, "\n"))
  const delimiter = chosen ?? said ?? detectDelimiter(text)
  const first = said === null ? 1 : 2
  const { data, errors } = Papa.parse<string[]>(text, { delimiter, newline: "\n" })
  const open = errors.find((error) => error.code === "MissingQuotes")
  if (open !== undefined) {
    throw new Refusal(
      `A quote in row ${formatCount((open.row ?? 0) + first)} is never closed: everything after it would be one cell.`,
      "Close the quote, or delete it, and choose the file again.",
    )
  }
  const quoteRows = new Set(errors.filter((error) => error.type === "Quotes").map((error) => error.row ?? 0))
  return tidy(data, { delimiter, first, quoteRows })
}

interface Tidying {
  readonly delimiter: Delimiter
  /** Number of the first row in a spreadsheet. */
  readonly first: number
  readonly quoteRows: ReadonlySet<number>
}

function tidy(data: readonly string[][], { delimiter, first, quoteRows }: Tidying): Table {
  const rows: string[][] = []
  const numbers: number[] = []
  const badQuotes = new Set<number>()
  let width = 0
  for (const [at, cells] of data.entries()) {
    const row = cells.map((cell) => unescapeCell(metadataKey(cell) === null ? cell.trim() : cell.trimStart()))
    while (row.length > 0 && row.at(-1) === "") row.pop()
    if (row.length === 0) continue
    if (quoteRows.has(at)) badQuotes.add(rows.length)
    width = Math.max(width, row.length)
    rows.push(row)
    numbers.push(at + first)
  }
  refuseTooMany(width, rows.length)
  for (const row of rows) {
    while (row.length < width) row.push("")
  }
  return { delimiter, rows, numbers, width, badQuotes }
}

function refuseTooMany(columns: number, rows: number): void {
  if (columns > importLimits.columns) {
    throw new Refusal(
      `This file has ${formatCount(columns)} columns; up to ${importLimits.columns} can be read.`,
      "Delete the columns that are not needed and choose the file again.",
    )
  }
  if (rows > importLimits.rows + 1) {
    throw new Refusal(
      `This file has ${formatCount(rows)} rows; up to ${formatCount(importLimits.rows)} can be read.`,
      "Split it into several files and import them one after the other.",
    )
  }
}
