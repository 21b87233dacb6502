import type { CellEdit } from "./sheet-command.ts"
import type { Column, SheetData } from "./sheet-data.ts"

/** Takes a change back. */
export type Undo = () => void

/** Writes texts into cells, and returns what takes that back. A kept row has to be looked at again after it. */
export function writeCells(data: SheetData, edits: readonly CellEdit[]): Undo {
  const before = edits.map(({ id, column }) => ({ id, column, text: data.table[id]?.[column] ?? "" }))
  const rows = new Map(
    edits.map(({ id }) => [id, { kept: data.kept.get(id), doubt: data.doubts.get(id) }] as const),
  )
  for (const { id, column, text } of edits) {
    const row = data.table[id]
    if (row === undefined || column >= data.columns.length) continue
    row[column] = text.trim()
    data.kept.delete(id)
    data.doubts.delete(id)
    data.edited.set(id, (data.edited.get(id) ?? new Set()).add(column))
  }
  return () => {
    for (const { id, column, text } of before.toReversed()) {
      const row = data.table[id]
      if (row !== undefined && column < data.columns.length) row[column] = text
    }
    for (const [id, { kept, doubt }] of rows) {
      if (kept !== undefined) data.kept.set(id, kept)
      if (doubt !== undefined) data.doubts.set(id, doubt)
    }
  }
}

/** Keeps rows in spite of what has to be looked at, leaves them out, or takes either back. */
export function decideRows(
  data: SheetData,
  ids: readonly number[],
  decision: "keep" | "leave" | null,
  checksOf: (id: number) => string,
): Undo {
  const before = ids.map((id) => ({ id, kept: data.kept.get(id), left: data.left.has(id) }))
  for (const id of ids) {
    data.kept.delete(id)
    data.left.delete(id)
    const checks = checksOf(id)
    if (decision === "keep" && checks !== "") data.kept.set(id, checks)
    // A row that has to be looked at is left out until it is kept: it needs no word of its own.
    if (decision === "leave" && checks === "") data.left.add(id)
  }
  return () => {
    for (const { id, kept, left } of before) {
      data.kept.delete(id)
      if (kept !== undefined) data.kept.set(id, kept)
      if (left) data.left.add(id)
      else data.left.delete(id)
    }
  }
}

/** Takes rows away. */
export function removeRows(data: SheetData, ids: readonly number[]): Undo {
  const gone = ids.filter((id) => !data.removed.has(id))
  for (const id of gone) data.removed.add(id)
  return () => {
    for (const id of gone) data.removed.delete(id)
  }
}

/** Adds empty rows at the end, numbered on from the last. Taken back, they stay as removed rows: ids never change. */
export function addRows(data: SheetData, count: number): Undo {
  const first = data.table.length
  let number = data.numbers.at(-1) ?? 0
  for (let added = 0; added < count; added += 1) {
    number += 1
    data.table.push(data.columns.map(() => ""))
    data.numbers.push(number)
  }
  return () => {
    for (let id = first; id < first + count; id += 1) data.removed.add(id)
  }
}

/** Says which field a column holds; the column that held it before holds none then. */
export function mapColumn(data: SheetData, column: number, field: string | null): Undo {
  const before = data.columns
  data.columns = before.map((each, at): Column => {
    if (at === column) return { ...each, field }
    return each.field === field ? { ...each, field: null } : each
  })
  return () => {
    data.columns = data.columns.map((each, at) => ({ ...each, field: before[at]?.field ?? null }))
  }
}

/** Adds an empty column for a field that no column holds. Taken back, the column stays and is not used. */
export function addColumn(data: SheetData, field: string, label: string): Undo {
  const at = data.columns.length
  data.columns = [...data.columns, { name: label, field }]
  for (const row of data.table) row.push("")
  return () => {
    data.columns = data.columns.map((each, index) => (index === at ? { ...each, field: null } : each))
  }
}

/** Sets the value that stands for all rows. */
export function fillConstant(data: SheetData, field: string, text: string): Undo {
  const before = data.constants
  data.constants = { ...before, [field]: text }
  return () => {
    data.constants = before
  }
}
