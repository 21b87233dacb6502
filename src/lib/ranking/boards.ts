import { nameWords, speaksOf } from "./field-words.ts"
import { rowFields, valueText, type RowFields } from "./row-fields.ts"
import { sentRows } from "./sent-rows.ts"

/** A leaderboard of the list, as far as it could be read. */
export interface Board {
  /** null: without one its rankings cannot be asked for. */
  readonly id: string | null
  /** What it is called; its id when nothing says. */
  readonly name: string | null
  /** Everything else that was sent, by field. */
  readonly rest: readonly (readonly [field: string, value: string])[]
}

/** The boards of an answer, whatever their fields are; null when nothing in it could be a board. Never throws. */
export function boardsOf(data: unknown): readonly Board[] | null {
  const rows = sentRows(data)
  return rows === null ? null : rows.map(boardOf)
}

function boardOf(row: unknown): Board {
  const fields = rowFields(row)
  const idField = heaviest(fields, idWeight)
  const nameField = heaviest(fields, (field, value) => (field === idField ? 0 : nameWeight(field, value)))
  const id = idField === null ? null : valueText(fields.get(idField))
  return {
    id,
    name: nameField === null ? id : valueText(fields.get(nameField)),
    rest: [...fields]
      .filter(([field, value]) => field !== idField && field !== nameField && valueText(value) !== "")
      .map(([field, value]) => [field, valueText(value)] as const),
  }
}

function heaviest(fields: RowFields, weigh: (field: string, value: unknown) => number): string | null {
  let best: string | null = null
  let weight = 0
  for (const [field, value] of fields) {
    const here = weigh(field, value)
    if (here > weight) [best, weight] = [field, here]
  }
  return best
}

function idWeight(field: string, value: unknown): number {
  const isId = typeof value === "string" ? value.trim() !== "" : Number.isSafeInteger(value)
  const { own, before } = nameWords(field)
  if (!isId) return 0
  // A list of plain values names its boards by them.
  if (field === "value") return 1
  const nested = before.length === 0 ? 0 : 2
  if (speaksOf(own, "id")) return (speaksOf(own, "entry") ? 8 : own.length === 1 ? 7 : 3) - nested
  const codes = ["key", "slug", "code", "leaderboard", "board"]
  return own.length === 1 && codes.includes(own[0] ?? "") ? 2.5 - nested : 0
}

function nameWeight(field: string, value: unknown): number {
  if (typeof value !== "string" || value.trim() === "") return 0
  const { own, before } = nameWords(field)
  const nested = before.length === 0 ? 0 : 2
  if (speaksOf(own, "name")) return (own.every(isOfBoard) ? 6 : 2.5) - nested
  if (own.some((word) => ["title", "label", "titel", "titulo", "titre", "titolo"].includes(word)))
    return 5 - nested
  return own.includes("description") ? 1 : 0
}

/** Not somebody else's name: an owner's, a program's. */
function isOfBoard(word: string): boolean {
  return speaksOf([word], "name") || speaksOf([word], "whole") || speaksOf([word], "entry")
}
