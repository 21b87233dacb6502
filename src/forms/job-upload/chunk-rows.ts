import { limits } from "../../../contract/limits.ts"

/** Bytes that the rows of one request may take: the rest of its body needs some, too. */
export const rowBytes = limits.bodyBytes - 20_000

/**
 * Cuts rows into parts that fit one request each: at most 1,000 rows and less than 1 MB of JSON. Order is kept.
 */
export function chunkRows<T>(rows: readonly T[]): readonly (readonly T[])[] {
  const chunks: T[][] = []
  let current: T[] = []
  let bytes = 0
  for (const row of rows) {
    const size = byteLength(row)
    if (current.length > 0 && (current.length >= limits.jobRowsAdded || bytes + size > rowBytes)) {
      chunks.push(current)
      current = []
      bytes = 0
    }
    current.push(row)
    bytes += size
  }
  if (current.length > 0) chunks.push(current)
  return chunks
}

const encoder = new TextEncoder()

/** Bytes a row takes in a body, with the comma after it. */
function byteLength(row: unknown): number {
  return encoder.encode(JSON.stringify(row)).length + 1
}
