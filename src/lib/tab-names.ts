import * as z from "zod/mini"
import { dropStored, readStored, saveStored } from "./browser-storage.ts"

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
  const seen = new Map([...(readStored(tabNamesKey, tabNames, "sessionStorage") ?? []), ...names])
  for (const id of missing) seen.delete(id)
  saveStored(tabNamesKey, [...seen].slice(-mostTabNames), "sessionStorage")
}

/** Deletes them, on signing out. */
export function clearTabNames(): void {
  dropStored(tabNamesKey, "sessionStorage")
}
