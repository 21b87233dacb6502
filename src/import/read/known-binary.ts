import { markedEncoding, unmarkedUtf16 } from "./encoding.ts"
import { Refusal } from "./refusal.ts"

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

/**
 * Refuses a file that is no text, whatever its name says.
 * @param head the first bytes of the file, 64 KB or all of it
 * @throws Refusal
 */
export function refuseBinary(head: Uint8Array): void {
  const start = Array.from(head.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("")
  if (start.startsWith("504b0304") || start.startsWith("d0cf11e0")) {
    throw new Refusal("This is a workbook (such as .xlsx) or an archive, not a CSV file.", asCsv)
  }
  const known = signatures.find(([bytes]) => start.startsWith(bytes))
  if (known !== undefined) throw new Refusal(`This file is ${known[1]}, not a table.`, asCsv)
  if (markedEncoding(head) !== null || unmarkedUtf16(head) !== null) return
  if (controls(head) > Math.max(mostControls.count, head.length * mostControls.share)) {
    throw new Refusal("This file isn’t text.", asCsv)
  }
}

function controls(bytes: Uint8Array): number {
  let count = 0
  for (const byte of bytes) {
    if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) count += 1
  }
  return count
}
