import { formatBytes } from "../../lib/format.ts"
import { importLimits } from "../limits.ts"
import { countUtf8, markedEncoding, unmarkedUtf16, type EncodingName } from "./encoding.ts"
import { refuseBinary } from "./known-binary.ts"
import { Refusal } from "./refusal.ts"

/** Bytes looked at before anything else is read. */
const headBytes = 65_536
/** Bytes read at once. */
const sliceBytes = 1_000_000

/** A file's text, and the encoding it was read in. */
export interface ReadText {
  readonly text: string
  readonly encoding: EncodingName
}

/**
 * Refuses a file by its size, before a byte of it is read.
 * @throws Refusal
 */
export function refuseTooLarge(bytes: number): void {
  if (bytes <= importLimits.bytes) return
  throw new Refusal(
    `This file has ${formatBytes(bytes)}; up to ${formatBytes(importLimits.bytes)} can be read here.`,
    "Nothing was imported. Split it into smaller files, or delete columns that are not needed.",
  )
}

/**
 * Reads a file as text, in slices.
 * @param chosen the encoding a person chose; without it, it is detected
 * @param onProgress called with the share read, 0 to 1
 * @throws Refusal when it is too large, empty or no text
 */
export async function readText(
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
  const encoding = chosen ?? markedEncoding(head) ?? unmarkedUtf16(head) ?? eightBit(slices)
  return { text: decode(slices, encoding), encoding }
}

async function bytesOf(blob: Blob): Promise<Uint8Array> {
  return new Uint8Array(await blob.arrayBuffer())
}

/** UTF-8 when most bytes above 127 belong to its characters; a few broken ones are shown in their cells instead. */
function eightBit(slices: readonly Uint8Array[]): EncodingName {
  let whole = 0
  let stray = 0
  for (const slice of slices) {
    const count = countUtf8(slice)
    whole += count.whole
    stray += count.stray
  }
  return stray > whole + 3 * slices.length - 3 ? "windows-1252" : "utf-8"
}

function decode(slices: readonly Uint8Array[], encoding: EncodingName): string {
  const decoder = new TextDecoder(encoding)
  const parts = slices.map((slice) => decoder.decode(slice, { stream: true }))
  return parts.join("") + decoder.decode()
}
