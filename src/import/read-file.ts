import { formatBytes } from "../lib/format.ts"
import { encodingNames, importLimits, type EncodingName } from "./recipe.ts"

/** A file that cannot be read: `message` states the reason, `help` the next step. */
export class Refusal extends Error {
  override readonly name = "Refusal"
  readonly help: string

  constructor(message: string, help: string) {
    super(message)
    this.help = help
  }
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
 * @throws Refusal when the file is too large, empty or binary
 */
export async function readFileText(
  file: Blob,
  chosen: EncodingName | undefined,
  onProgress: (share: number) => void,
): Promise<ReadText> {
  refuseTooLarge(file.size)
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
const asCsv =
  "Save the sheet as CSV in your spreadsheet program, then choose that file, or copy the cells and paste them."

/** Number and share of control bytes above which a file is binary. */
const mostControls = { count: 8, share: 0.01 }

/** Refuses binary files by their first 64 KB, whatever their name. */
function refuseBinary(head: Uint8Array): void {
  const start = Array.from(head.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("")
  if (start.startsWith("504b0304") || start.startsWith("d0cf11e0")) {
    throw new Refusal("This is a workbook (such as .xlsx) or an archive, not a CSV file.", asCsv)
  }
  const known = signatures.find(([bytes]) => start.startsWith(bytes))
  if (known !== undefined) throw new Refusal(`This file is ${known[1]}, not a table.`, asCsv)
  if (markedEncoding(head) !== null || unmarkedUtf16(head) !== null) return
  const controls = head.reduce(
    (count, byte) => count + Number(byte < 9 || (byte > 13 && byte < 32 && byte !== 27)),
    0,
  )
  if (controls > Math.max(mostControls.count, head.length * mostControls.share)) {
    throw new Refusal("This file isn’t text.", asCsv)
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
