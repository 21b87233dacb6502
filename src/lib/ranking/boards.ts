import { heaviest, nameTopics, speaksOf } from "./field-roles.ts"
import { fieldPath, rowFields, sentRows, valueText } from "./row-values.ts"

/** A leaderboard of the list, as far as it could be read. */
export interface Board {
  readonly id: string | null
  readonly name: string | null
  readonly rest: readonly (readonly [field: string, value: string])[]
}

/** The boards of a response, whatever their fields are; null when nothing in it could be a board. Never throws. */
export function boardsOf(data: unknown): readonly Board[] | null {
  return sentRows(data)?.map(boardOf) ?? null
}

function boardOf(row: unknown): Board {
  const fields = [...rowFields(row)]
  const id = heaviest(fields, idWeight)
  const others = fields.filter((field) => field !== id)
  const name = heaviest(others, nameWeight)
  return {
    id: id === undefined ? null : valueText(id[1]),
    name: id === undefined && name === undefined ? null : valueText((name ?? id)?.[1]),
    rest: others
      .filter((field) => field !== name)
      .map(([field, value]) => [field, valueText(value)] as const)
      .filter(([, value]) => value !== ""),
  }
}

type Field = readonly [field: string, value: unknown]

function idWeight([field, value]: Field): number {
  const isId = typeof value === "string" ? value.trim() !== "" : Number.isSafeInteger(value)
  if (!isId) return 0
  // A list of plain values names its boards by them.
  if (field === "value") return 1
  const { own, words } = nameTopics(field)
  if (own.has("id")) return (own.has("entry") ? 8 : words.length === 1 ? 7 : 3) - nested(field)
  const codes = ["key", "slug", "code", "leaderboard", "board"]
  return words.length === 1 && codes.includes(words[0] ?? "") ? 2.5 - nested(field) : 0
}

function nameWeight([field, value]: Field): number {
  if (typeof value !== "string" || value.trim() === "") return 0
  const { own, words } = nameTopics(field)
  // Not somebody else's name: an owner's, a program's.
  const ofBoard = words.every((word) => {
    const topics = speaksOf([word])
    return topics.has("name") || topics.has("whole") || topics.has("entry")
  })
  if (own.has("name")) return (ofBoard ? 6 : 2.5) - nested(field)
  if (own.has("title")) return 5 - nested(field)
  return words.includes("description") ? 1 : 0
}

function nested(field: string): number {
  return fieldPath(field).length > 1 ? 2 : 0
}
