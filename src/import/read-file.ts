import Papa from "papaparse"
import { quotedText } from "../../contract/typed-text.ts"
import { unescapeCell } from "../lib/csv.ts"
import { formatBytes, formatCount } from "../lib/format.ts"
import {
  type Delimiter,
  delimiters,
  type EncodingName,
  encodingNames,
  importLimits,
  metadataKey,
} from "./recipe.ts"
import type { SheetData } from "./sheet-data.ts"

/** A file that cannot be read: `message` states the reason, `help` the next step, `sheets` those to choose from. */
export class Refusal extends Error {
  override readonly name = "Refusal"
  readonly help: string
  readonly sheets: readonly string[]

  constructor(message: string, help: string, sheets: readonly string[] = []) {
    super(message)
    this.help = help
    this.sheets = sheets
  }
}

/** Whether a file is a zip file or an Office file, whatever its name (excel/workbook.ts). */
export async function isWorkbook(file: Blob): Promise<boolean> {
  const start = await bytesOf(file.slice(0, 4))
  return ["504b0304", "504b0506", "d0cf11e0"].includes(inHexadecimal(start))
}

const headBytes = 65_536
const sliceBytes = 1_000_000

/** @throws Refusal above the maximum size */
export function refuseTooLarge(bytes: number): void {
  if (bytes <= importLimits.bytes) return
  throw new Refusal(
    `This file has ${formatBytes(bytes)}; up to ${formatBytes(importLimits.bytes)} can be read here.`,
    "Nothing was imported. Split it into smaller files, or delete columns that are not needed.",
  )
}

/**
 * Reads a file as text, in slices; `onProgress` receives the share read, 0 to 1. The encoding is detected unless
 * chosen.
 * @throws Refusal when the file is empty or binary
 */
export async function readFileText(
  file: Blob,
  chosen: EncodingName | undefined,
  onProgress: (share: number) => void,
): Promise<ReadText> {
  if (file.size === 0) throw new Refusal("This file is empty.", "Choose a file with at least one row.")
  const head = await bytesOf(file.slice(0, headBytes))
  refuseBinary(head)
  const slices: Uint8Array[] = []
  for (let at = 0; at < file.size; at += sliceBytes) {
    slices.push(await bytesOf(file.slice(at, at + sliceBytes)))
    onProgress(Math.min(1, (at + sliceBytes) / file.size))
  }
  const encoding = chosen ?? markedEncoding(head) ?? unmarkedUtf16(head) ?? eightBitEncoding(slices)
  const text = decode(slices, encoding)
  if (chosen !== undefined) return { text, encoding }
  if (encoding === "windows-1252") return { text, encoding, guess: previews(slices) }
  if (encoding !== "utf-8" || !isSavedTwice(text)) return { text, encoding }
  return { text: readOnceMore(text), encoding: "utf-8-twice", guess: previews(slices) }
}

/** A file as text. `guess`: how each encoding reads some of its cells, if the encoding is ambiguous. */
interface ReadText {
  readonly text: string
  readonly encoding: EncodingName
  readonly guess?: { encoding: EncodingName; cells: string[] }[]
}

function decode(slices: readonly Uint8Array[], encoding: EncodingName): string {
  if (encoding === "utf-8-twice") return readOnceMore(decode(slices, "utf-8"))
  const decoder = new TextDecoder(encoding)
  const parts = slices.map((slice) => decoder.decode(slice, { stream: true }))
  return parts.join("") + decoder.decode()
}

const beyondAscii = /[^\p{ASCII}]+/gu

/** Bytes of Windows-1252 by character. */
const westernBytes = new Map(
  Array.from(
    new TextDecoder("windows-1252").decode(Uint8Array.from({ length: 128 }, (_, at) => at + 128)),
    (char, at) => [char, at + 128],
  ),
)

function byteOf(char: string): number {
  return westernBytes.get(char) ?? (/[\u0080-\u009F]/.test(char) ? char.charCodeAt(0) : 0)
}

/** The bytes of characters that were decoded as Windows-1252 or Latin-1; null for others. */
function beforeMisread(characters: string): string | null {
  const bytes = Array.from(characters, byteOf)
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes))
  } catch {
    return null
  }
}

function readOnceMore(text: string): string {
  return text.replaceAll(beyondAscii, (characters) => beforeMisread(characters) ?? characters)
}

/** Whether every non-ASCII character is part of UTF-8 that was decoded as Windows-1252: `JosÃ©`. */
function isSavedTwice(text: string): boolean {
  let count = 0
  for (const [characters] of text.matchAll(beyondAscii)) {
    if (beforeMisread(characters) === null) return false
    count += 1
  }
  return count > 0
}

const previewed = { cells: 3, bytes: 60 }

/** The first cells with bytes above 127, as read with each possible encoding. */
function previews(slices: readonly Uint8Array[]): NonNullable<ReadText["guess"]> {
  const found = new Map<string, Uint8Array>()
  for (const slice of slices) {
    for (const cell of cellsBeyondAscii(slice)) {
      found.set(cell.join(), cell)
      if (found.size === previewed.cells) break
    }
    if (found.size === previewed.cells) break
  }
  return encodingNames.flatMap((encoding) => {
    if (encoding.startsWith("utf-16")) return []
    const cells = Array.from(found.values(), (cell) => decode([cell], encoding))
    return cells.some((text) => text.includes("\uFFFD")) ? [] : { encoding, cells }
  })
}

const cellEnds: ReadonlySet<number> = new Set(Array.from(',;|"\t\n\r', (sign) => sign.charCodeAt(0)))

function* cellsBeyondAscii(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = bytes.findIndex((byte) => byte > 127); at >= 0 && at < bytes.length; at += 1) {
    if ((bytes[at] ?? 0) < 128) continue
    let [from, to] = [at, at]
    while (from > 0 && !cellEnds.has(bytes[from - 1] ?? 0)) from -= 1
    while (to < bytes.length && !cellEnds.has(bytes[to] ?? 0)) to += 1
    yield bytes.subarray(Math.max(from, at - previewed.bytes), Math.min(to, at + previewed.bytes))
    at = to
  }
}

const inHexadecimal = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

async function bytesOf(blob: Blob): Promise<Uint8Array> {
  return new Uint8Array(await blob.arrayBuffer())
}

/** Magic numbers of files that are often mistaken for tables, in hexadecimal, and their type. */
const signatures: readonly (readonly [string, string])[] = [
  ["89504e47", "a picture (PNG)"],
  ["ffd8ff", "a picture (JPEG)"],
  ["47494638", "a picture (GIF)"],
  ["52494646", "a picture, sound or film (RIFF)"],
  ["25504446", "a PDF document"],
  ["1f8b", "a packed file (gzip)"],
]
const asTable =
  "Save the sheet as Excel (.xlsx) or CSV in your spreadsheet program, then choose that file, or copy the cells and paste them."

/** Number and share of control bytes above which a file is binary. */
const mostControls = { count: 8, share: 0.01 }

/** Refuses binary files by their first 64 KB, whatever their name. */
function refuseBinary(head: Uint8Array): void {
  const start = inHexadecimal(head.subarray(0, 8))
  const known = signatures.find(([bytes]) => start.startsWith(bytes))
  if (known !== undefined) throw new Refusal(`This file is ${known[1]}, not a table.`, asTable)
  if (markedEncoding(head) !== null || unmarkedUtf16(head) !== null) return
  const controls = head.reduce(
    (count, byte) => count + Number(byte < 9 || (byte > 13 && byte < 32 && byte !== 27)),
    0,
  )
  if (controls > Math.max(mostControls.count, head.length * mostControls.share)) {
    throw new Refusal("This file isn’t text.", asTable)
  }
}

function markedEncoding(bytes: Uint8Array): EncodingName | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8"
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le"
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be"
  return null
}

/** Share of NULs on one side of the byte pairs from which a text is read as UTF-16. */
const nulShare = 0.3

/** UTF-16 without a byte order mark: Latin text has NUL in one half of most byte pairs, and none in the other. */
function unmarkedUtf16(bytes: Uint8Array): EncodingName | null {
  let first = 0
  let second = 0
  const pairs = Math.floor(bytes.length / 2)
  for (let at = 0; at < pairs; at += 1) {
    if (bytes[at * 2] === 0) first += 1
    if (bytes[at * 2 + 1] === 0) second += 1
  }
  if (second > pairs * nulShare && first < second / 10) return "utf-16le"
  if (first > pairs * nulShare && second < first / 10) return "utf-16be"
  return null
}

/** UTF-8 if most bytes above 127 form its characters; a few invalid ones are shown in their cells. */
function eightBitEncoding(slices: readonly Uint8Array[]): EncodingName {
  let characters = 0
  let strays = 0
  for (const slice of slices) {
    for (let at = 0; at < slice.length;) {
      const length = utf8Length(slice, at)
      if (length > 1) characters += 1
      else if (length === 0) strays += 1
      at += length || 1
    }
  }
  // A character split by a slice adds at most three invalid bytes.
  return strays > characters + 3 * slices.length - 3 ? "windows-1252" : "utf-8"
}

/** Length of the UTF-8 character at an index, in bytes; 0 for an invalid byte above 127. Surrogates count. */
function utf8Length(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0
  if (lead < 0x80) return 1
  const length =
    lead >= 0xc2 && lead <= 0xdf ? 2 : lead >= 0xe0 && lead <= 0xef ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 0
  for (let step = 1; step < length; step += 1) {
    if (((bytes[at + step] ?? 0) & 0xc0) !== 0x80) return 0
  }
  return length
}

/** A file's rows. `numbers`: their numbers in it, from 1; `badQuotes`: indexes of rows with an unmatched quote. */
export interface Table {
  readonly delimiter: Delimiter
  readonly rows: string[][]
  readonly numbers: number[]
  readonly width: number
  readonly badQuotes: ReadonlySet<number>
  /** Only a workbook has these. */
  readonly notes?: readonly string[]
  readonly cellNotes?: SheetData["cellNotes"]
  readonly excel?: SheetData["origin"]["excel"]
}

/**
 * Splits a text into cells, without blank rows and columns at the end; a formula is text.
 * @throws Refusal when a quote is never closed, or there are too many columns or rows
 */
export function parseTable(given: string, chosen?: Delimiter): Table {
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
  for (const [at, cells] of data.entries()) {
    const row = cells.map((cell) => plainCell(trimCell(cell)))
    while (row.length > 0 && row.at(-1) === "") row.pop()
    if (row.length === 0) continue
    if (quoteRows.has(at)) badQuotes.add(rows.length)
    rows.push(row)
    numbers.push(at + first)
  }
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  return { ...tableOf(rows, numbers, { rows: rows.length, width }), delimiter, badQuotes }
}

/** Rows of the same width; `size` is that of the file, whose further rows may be missing. */
export function tableOf(
  rows: string[][],
  numbers: number[],
  size: { readonly rows: number; readonly width: number },
) {
  if (size.width > importLimits.columns) {
    throw new Refusal(
      `This file has ${formatCount(size.width)} columns; up to ${importLimits.columns} can be read.`,
      "Delete the columns that are not needed and choose the file again.",
    )
  }
  if (size.rows > importLimits.rows + 1) {
    throw new Refusal(
      `This file has ${formatCount(size.rows)} rows; up to ${formatCount(importLimits.rows)} can be read.`,
      "Split it into several files and import them one after the other.",
    )
  }
  for (const row of rows) {
    while (row.length < size.width) row.push("")
  }
  return { rows, numbers, width: size.width }
}

/** A cell without spaces around it; at the end of `metadata.region `, they belong to the key. */
export function trimCell(cell: string): string {
  return metadataKey(cell) === null ? cell.trim() : cell.trimStart()
}

/** The displayed text of a cell: for `="0034"`, which preserves zeros and computes nothing, the quoted text. */
export function plainCell(text: string): string {
  return quotedText(text) ?? unescapeCell(text)
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
