import * as z from "zod/mini"
import { metadataKey } from "../recipes/metadata.ts"
import { plainName } from "./plain-name.ts"
import type { Mapping } from "./match-columns.ts"

/** How columns with these names were mapped last time; names of columns only, never what stands in them. */
export interface RememberedMapping {
  readonly names: readonly string[]
  readonly fields: Mapping
}

const stored = z.array(z.object({ names: z.array(z.string()), fields: z.array(z.nullable(z.string())) }))
/** Sets of columns that are kept for each kind of file. */
const most = 20

/** Where the mappings of one kind of file are kept in `localStorage`. */
function placeOf(recipe: string): string {
  return `laurel:import-columns:${recipe}`
}

/** The mappings of a kind of file, latest first. Blocked or foreign storage is no fault: there are none then. */
export function readMappings(recipe: string): readonly RememberedMapping[] {
  try {
    return stored.safeParse(JSON.parse(localStorage.getItem(placeOf(recipe)) ?? "[]")).data ?? []
  } catch {
    return []
  }
}

/** Keeps how columns with these names are mapped. */
export function keepMapping(recipe: string, mapping: RememberedMapping): void {
  const others = readMappings(recipe).filter(({ names }) => !sameNames(names, mapping.names))
  try {
    localStorage.setItem(placeOf(recipe), JSON.stringify([mapping, ...others].slice(0, most)))
  } catch {
    // Private windows may refuse: the columns are then matched by name alone.
  }
}

/** The mapping of the same set of columns, in any order; null when these columns are new. */
export function recallMapping(
  remembered: readonly RememberedMapping[],
  names: readonly string[],
): Mapping | null {
  const known = remembered.find((each) => sameNames(each.names, names))
  if (known === undefined) return null
  const fields = new Map(known.names.map((name, at) => [compared(name), known.fields[at] ?? null]))
  return names.map((name) => fields.get(compared(name)) ?? null)
}

/** A key of metadata is the same byte for byte only. */
function compared(name: string): string {
  return metadataKey(name) ?? plainName(name)
}

/** Columns that share a name cannot be told apart, so such a set is never the same. */
function sameNames(one: readonly string[], other: readonly string[]): boolean {
  const names = new Set(one.map(compared))
  const others = new Set(other.map(compared))
  const distinct = names.size === one.length && others.size === other.length
  return distinct && names.size === others.size && [...names].every((name) => others.has(name))
}
