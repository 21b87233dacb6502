/** Encodings of a file that are recognised; the values are the platform's labels. */
export const encodings = ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const
/** An encoding of a file. */
export type EncodingName = (typeof encodings)[number]

/** How an encoding is called for people. */
export const encodingLabels: Readonly<Record<EncodingName, string>> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16 LE",
  "utf-16be": "UTF-16 BE",
  "windows-1252": "Windows-1252",
}

/** The encoding that a byte order mark names; null without one. */
export function markedEncoding(bytes: Uint8Array): EncodingName | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8"
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le"
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be"
  return null
}

/** A share of NULs on one side of the byte pairs from which text is taken for UTF-16. */
const telling = 0.3

/** UTF-16 without a mark: Latin letters and separators leave a NUL in one half of most pairs, and none in the other. */
export function unmarkedUtf16(bytes: Uint8Array): EncodingName | null {
  let first = 0
  let second = 0
  const pairs = Math.floor(bytes.length / 2)
  for (let at = 0; at < pairs; at += 1) {
    if (bytes[at * 2] === 0) first += 1
    if (bytes[at * 2 + 1] === 0) second += 1
  }
  if (pairs === 0) return null
  if (second > pairs * telling && first < second / 10) return "utf-16le"
  if (first > pairs * telling && second < first / 10) return "utf-16be"
  return null
}

/** Counts over bytes read so far; made by `countUtf8`. */
export interface Utf8Count {
  /** Characters of several bytes that UTF-8 allows, and halves of surrogate pairs written the same way. */
  readonly whole: number
  /** Bytes above 127 that are no part of one. */
  readonly stray: number
}

/** Counts what speaks for and against UTF-8. A file cut in two at any byte counts at most three strays too many. */
export function countUtf8(bytes: Uint8Array): Utf8Count {
  let whole = 0
  let stray = 0
  let at = 0
  while (at < bytes.length) {
    const lead = bytes[at] ?? 0
    if (lead < 0x80) {
      at += 1
      continue
    }
    const length = sequenceLength(lead)
    if (length > 0 && followedBy(bytes, at, length - 1)) {
      whole += 1
      at += length
    } else {
      stray += 1
      at += 1
    }
  }
  return { whole, stray }
}

function sequenceLength(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2
  if (lead >= 0xe0 && lead <= 0xef) return 3
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0
}

function followedBy(bytes: Uint8Array, at: number, count: number): boolean {
  for (let step = 1; step <= count; step += 1) {
    const byte = bytes[at + step]
    if (byte === undefined || (byte & 0xc0) !== 0x80) return false
  }
  return true
}
