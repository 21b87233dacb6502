import { ExactNumber } from "../../../contract/exact-json.ts"

/** Whether a value is a record: an object with named fields, not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  )
}

/**
 * The rows of an answer whose form nobody has described: the list itself, else the longest list inside a record, else
 * a record of records with its keys as a field. `null` when there is nothing that could be rows.
 */
export function sentRows(data: unknown): readonly unknown[] | null {
  if (Array.isArray(data)) return data
  if (!isRecord(data)) return null
  return longestList(data) ?? keyedRows(data)
}

/** How deep a list may lie inside records. */
const deepest = 3

function longestList(record: Readonly<Record<string, unknown>>, depth = 1): readonly unknown[] | null {
  let longest: readonly unknown[] | null = null
  for (const value of Object.values(record)) {
    const list: unknown = isRecord(value) && depth < deepest ? longestList(value, depth + 1) : value
    if (Array.isArray(list) && list.length >= (longest?.length ?? 0)) longest = list
  }
  return longest
}

function keyedRows(record: Readonly<Record<string, unknown>>): readonly unknown[] | null {
  const entries = Object.entries(record)
  if (entries.length < 2 || !entries.every(([, value]) => isRecord(value))) return null
  return entries.map(([key, value]) => ({ key, ...(isRecord(value) ? value : {}) }))
}
