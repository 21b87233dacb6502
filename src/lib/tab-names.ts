import * as z from "zod/mini"
import { readStored } from "./browser-storage.ts"

const tabNamesKey = "laurel:member-names"
const tabNames = z.array(z.tuple([z.string(), z.string()]))
const mostTabNames = 1000

/**
 * Names shown in this tab, for an offline reload. Deleted with the tab and on signing out; member names are never
 * stored longer (docs/security.md).
 */
export function loadTabNames(ids: readonly string[]): { id: string; name: string }[] {
  const seen = new Map(readStored(tabNamesKey, tabNames, "sessionStorage"))
  return ids.flatMap((id) => {
    const name = seen.get(id)
    return name === undefined ? [] : [{ id, name }]
  })
}

/** Adds names; ids without a member are removed. */
export function saveTabNames(names: ReadonlyMap<string, string>, missing: ReadonlySet<string>): void {
  try {
    const seen = new Map([...(readStored(tabNamesKey, tabNames, "sessionStorage") ?? []), ...names])
    for (const id of missing) seen.delete(id)
    sessionStorage.setItem(tabNamesKey, JSON.stringify([...seen].slice(-mostTabNames)))
  } catch {
    // Without storage an offline reload shows ids.
  }
}

/** Deletes them, on signing out. */
export function clearTabNames(): void {
  try {
    sessionStorage.removeItem(tabNamesKey)
  } catch {
    // Without storage there are no names.
  }
}
