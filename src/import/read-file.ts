import { formatBytes } from "../lib/format.ts"
import { importLimits, type EncodingName } from "./recipe.ts"

/** A file that cannot be read: the message says why, `help` what to do about it. */
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

/** @throws Refusal beyond the bytes that can be read */
export function refuseTooLarge(bytes: number): void {
  if (bytes <= importLimits.bytes) return
  throw new Refusal(
    `This file has ${formatBytes(bytes)}; up to ${formatBytes(importLimits.bytes)} can be read here.`,
    "Nothing was imported. Split it into smaller files, or delete columns that are not needed.",
  )
}

/**
 * Reads a file as text, in slices; `onProgress` is called with the share read, 0 to 1. Without a chosen encoding it is
 * detected.
 * @throws Refusal when it is too large, empty or no text
 */
export async function readFileText(
  file: Blob,
  chosen: EncodingName | undefined,
  onProgress: (share: number) => void,
): Promise<{ readonly text: string; readonly encoding: EncodingName }> {
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
  const decoder = new TextDecoder(encoding)
  const parts = slices.map((slice) => decoder.decode(slice, { stream: true }))
  return { text: parts.join("") + decoder.decode(), encoding }
}

async function bytesOf(blob: Blob): Promise<Uint8Array> {
  return new Uint8Array(await blob.arrayBuffer())
}

/** First bytes of files that are often taken for a table, as hexadecimal text, and what they are. */
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

/** Control bytes that no text file needs, and their share of the bytes looked at, beyond which a file is no text. */
const mostControls = { count: 8, share: 0.01 }

/** Refuses a file that is no text, whatever its name says, by its first 64 KB. */
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

/** A share of NULs on one side of the byte pairs from which text is taken for UTF-16. */
const nulShare = 0.3

/** UTF-16 without a mark: Latin letters and separators leave a NUL in one half of most pairs, and none in the other. */
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

/** UTF-8 when most bytes above 127 belong to its characters; a few broken ones are shown in their cells instead. */
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
  // A character cut in two by a slice counts at most three strays too many.
  return strays > characters + 3 * slices.length - 3 ? "windows-1252" : "utf-8"
}

/** Bytes of the UTF-8 character at an index; 0 for a byte above 127 that is no part of one. Surrogates count. */
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
