import * as z from "zod/mini"
import { readStored, saveStored } from "../lib/browser-storage.ts"
import { readCell, typedCell } from "./read-cell.ts"
import { type Field, metadataKey, type ReadingContext, type Recipe } from "./recipe.ts"

/** For each column the key of its field; null for an unused column. */
export type Mapping = (string | null)[]

/**
 * A column's name for comparison: lower case, without accents, spaces or punctuation. `Member_ID` equals `member id`.
 */
function plainName(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll(/[^\p{Letter}\p{Number}]/gu, "")
}

const namesOf = (field: Field) => [field.key, field.label, ...field.names.split(",")].map(plainName)

/** Whether a text is a known column name. */
export function nameTest(fields: readonly Field[]): (text: string) => boolean {
  const names = new Set(fields.flatMap(namesOf))
  return (text) => names.has(plainName(text))
}

/**
 * Columns matched by their full name, a field's own key or label first: "points balance" is not points; none if two
 * match.
 */
export function matchColumns(names: readonly string[], recipe: Pick<Recipe, "fields" | "metadata">): Mapping {
  const plain = names.map(plainName)
  const mapping: Mapping = names.map(() => null)
  const unclear = new Set<string>()
  for (const most of [2, Infinity]) {
    for (const field of recipe.fields) {
      if (mapping.includes(field.key) || unclear.has(field.key)) continue
      const known = new Set(namesOf(field).slice(0, most))
      const at = plain.findIndex((name, index) => mapping[index] === null && known.has(name))
      if (at < 0) continue
      const isOne = plain.indexOf(plain[at] ?? "", at + 1) < 0
      if (isOne) mapping[at] = field.key
      else unclear.add(field.key)
    }
  }
  if (recipe.metadata !== true) return mapping
  const keys = names.map(metadataKey)
  return mapping.map((field, at) => {
    const key = keys[at] ?? null
    return field ?? (keys.indexOf(key) === at ? key : null)
  })
}

/** Indexes of unused columns with the same name that could hold a field, to choose from. Empty if unambiguous. */
export function columnsToChoose(
  columns: readonly { readonly name: string; readonly field: string | null }[],
  field: Field,
): readonly number[] {
  if (columns.some((column) => column.field === field.key)) return []
  const known = new Set(namesOf(field))
  const free = [...columns.entries()].filter(
    ([, column]) => column.field === null && known.has(plainName(column.name)),
  )
  const [alike = []] = Map.groupBy(free, ([, { name }]) => plainName(name)).values()
  return alike.length < 2 ? [] : alike.map(([at]) => at)
}

const sampled = 50
/** Share of a column's texts that must look like the field. */
const alikeShare = 0.8

/** Matches columns without names by their content, the strictest field first. */
export function guessColumns(
  rows: readonly (readonly string[])[],
  width: number,
  fields: readonly Field[],
  context: ReadingContext,
): Mapping {
  const mapping: Mapping = Array.from({ length: width }, () => null)
  const sample = rows.slice(0, sampled)
  for (const field of fields.toSorted((one, other) => strictness(one) - strictness(other))) {
    const at = mapping.findIndex((taken, column) => {
      const texts = sample.map((row) => row[column] ?? "").filter((text) => text !== "")
      const alike = texts.filter((text) => looksLike(text, field, context)).length
      return taken === null && texts.length > 0 && alike >= texts.length * alikeShare
    })
    if (at >= 0) mapping[at] = field.key
  }
  return mapping
}

/** Share of a column's texts that must look like the field when its name is the field's. */
const ownShare = 0.5

/**
 * Matches columns by name, then by content: an optional field is removed from a column with other content (a carrier's
 * status texts), and a required field without a match takes the only column that looks most like it.
 */
export function matchByContent(
  byName: Mapping,
  rows: readonly (readonly string[])[],
  fields: readonly Field[],
): Mapping {
  const mapping = [...byName]
  const sample = rows.slice(0, sampled)
  const likenessOf = (column: number, likeness: (text: string) => number) => {
    const texts = sample.map((row) => row[column] ?? "").filter((text) => text !== "")
    const each = texts.map(likeness)
    const share = each.filter((one) => one > 0).length / texts.length
    const mean = each.reduce((sum, one) => sum + one, 0) / texts.length
    return texts.length === 0 ? { share: 0, mean: 0 } : { share, mean }
  }
  for (const { key, likeness, required } of fields) {
    const at = mapping.indexOf(key)
    if (likeness === undefined) continue
    if (at >= 0) {
      const isOwn = required !== undefined || likenessOf(at, likeness).share >= ownShare
      const isEmpty = sample.every((row) => (row[at] ?? "") === "")
      if (!isOwn && !isEmpty) mapping[at] = null
    } else if (required !== undefined) {
      const found = mapping
        .flatMap((taken, column) => (taken === null ? [{ column, ...likenessOf(column, likeness) }] : []))
        .filter(({ share }) => share >= alikeShare)
        .toSorted((one, other) => other.mean - one.mean)
      const [best, next] = found
      // If two are equally likely, the user chooses.
      if (best !== undefined && best.mean !== next?.mean) mapping[best.column] = key
    }
  }
  return mapping
}

/** The stricter a field's format, the earlier it is matched. */
function strictness({ key, type, required }: Field): number {
  if (key === "email") return 0
  if (type === "number") return 1
  if (type === "id" && key.endsWith("_id")) return 2
  return required === undefined ? 4 : 3
}

function looksLike(text: string, field: Field, context: ReadingContext): boolean {
  const { key, type, required } = field
  const reading = readCell(typedCell(text, field), field, context)
  // A number that needs a correction counts: `1,000` with decimal commas.
  if ("problem" in reading) return type === "number" && reading.fix !== undefined
  if (reading.as !== undefined) return false
  if (key === "email" || type === "number") return true
  const isWord = /^(?=\S*[\d_])\S+$/.test(text)
  const isLikely = required !== undefined || (type === "id" && key.endsWith("_id"))
  return isLikely && (type === "id" ? isWord && !text.includes("@") : !isWord)
}

const storedMappings = z.array(
  z.object({ names: z.array(z.string()), fields: z.array(z.nullable(z.string())) }),
)
/** How columns with these names were mapped last time. Names of columns only, never cell values. */
export type RememberedMapping = z.output<typeof storedMappings>[number]

const mostMappings = 20

const storageKey = (recipe: string) => `laurel:import-columns:${recipe}`

/** The saved mappings of a recipe, latest first. */
export function readMappings(recipe: string): readonly RememberedMapping[] {
  return readStored(storageKey(recipe), storedMappings) ?? []
}

/** Saves a mapping: the latest for the same names, at most 20. */
export function saveMapping(recipe: string, mapping: RememberedMapping): void {
  const others = readMappings(recipe).filter(({ names }) => !sameNames(names, mapping.names))
  saveStored(storageKey(recipe), [mapping, ...others].slice(0, mostMappings))
}

/** The last mapping of columns with these names, in any order and spelling; null if none. */
export function loadMapping(
  remembered: readonly RememberedMapping[],
  names: readonly string[],
): Mapping | null {
  const known = remembered.find((each) => sameNames(each.names, names))
  if (known === undefined) return null
  const fields = new Map(known.names.map((name, at) => [comparedName(name), known.fields[at] ?? null]))
  return names.map((name) => fields.get(comparedName(name)) ?? null)
}

/** Metadata keys are compared byte for byte. */
const comparedName = (name: string) => metadataKey(name) ?? plainName(name)

/** Columns with the same name are indistinguishable, so such a set never matches. */
function sameNames(one: readonly string[], other: readonly string[]): boolean {
  const names = new Set(one.map(comparedName))
  const others = new Set(other.map(comparedName))
  const distinct = names.size === one.length && others.size === other.length
  return distinct && names.size === others.size && [...names].every((name) => others.has(name))
}
