import * as z from "zod/mini"
import { readStored } from "./external-value.ts"

const tabNamesKey = "laurel:member-names"
const tabNames = z.array(z.tuple([z.string(), z.string()]))
const mostTabNames = 1000

/**
 * Names that this tab was shown, for a reload without a connection. They are gone with the tab and with signing out;
 * nothing that outlives the tab has a member's name (docs/security.md).
 */
export function loadTabNames(ids: readonly string[]): { id: string; name: string }[] {
  const seen = new Map(readStored(tabNamesKey, tabNames, "sessionStorage"))
  return ids.flatMap((id) => {
    const name = seen.get(id)
    return name === undefined ? [] : [{ id, name }]
  })
}

/** Adds names to them; ids that no member has are dropped. */
export function saveTabNames(names: ReadonlyMap<string, string>, missing: ReadonlySet<string>): void {
  try {
    const seen = new Map([...(readStored(tabNamesKey, tabNames, "sessionStorage") ?? []), ...names])
    for (const id of missing) seen.delete(id)
    sessionStorage.setItem(tabNamesKey, JSON.stringify([...seen].slice(-mostTabNames)))
  } catch {
    // Without storage a reload without a connection shows ids.
  }
}

/** Forgets them: on signing out. */
export function clearTabNames(): void {
  try {
    sessionStorage.removeItem(tabNamesKey)
  } catch {
    // Storage that cannot be reached has no names.
  }
}
