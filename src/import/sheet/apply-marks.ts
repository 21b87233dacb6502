import type { Mark } from "./sheet-command.ts"
import { cellOf, columnOf, rowIds, type AppliedMark, type SheetData } from "./sheet-data.ts"

/** Puts marks on rows, by number or by what a field holds, and returns the ids of the rows it changed. */
export function applyMarks(data: SheetData, marks: readonly Mark[]): readonly number[] {
  const byNumber = new Map<number, Mark[]>()
  const byValue = new Map<string, Mark[]>()
  for (const mark of marks) {
    if (mark.number !== undefined) add(byNumber, mark.number, mark)
    else if (mark.value !== undefined) add(byValue, keyOf(mark.field, mark.value), mark)
  }
  const fields = new Set(marks.map((mark) => mark.field))
  const changed: number[] = []
  for (const id of rowIds(data)) {
    const found = [...(byNumber.get(data.numbers[id] ?? 0) ?? [])]
    for (const field of fields) {
      found.push(...(byValue.get(keyOf(field, cellOf(data, id, columnOf(data, field)))) ?? []))
    }
    const before = data.marks.get(id) ?? []
    // A page that comes back to its draft finds the same again.
    const added = found.map((mark) => applied(data, id, mark)).filter((mark) => !before.some(isSame(mark)))
    if (added.length === 0) continue
    data.marks.set(id, [...before, ...added])
    changed.push(id)
  }
  return changed
}

function applied(data: SheetData, id: number, { field, severity, text }: Mark): AppliedMark {
  return { field, severity, text, cell: cellOf(data, id, columnOf(data, field)) }
}

function isSame({ field, text, cell }: AppliedMark): (other: AppliedMark) => boolean {
  return (other) => other.field === field && other.text === text && other.cell === cell
}

function keyOf(field: string, value: string): string {
  return `${field}\n${value.toLowerCase()}`
}

function add<K>(map: Map<K, Mark[]>, key: K, mark: Mark): void {
  map.set(key, [...(map.get(key) ?? []), mark])
}
