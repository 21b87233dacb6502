import type { AtlasEntry } from "../../../../contract/error-catalogue.ts"

/** Whether every word somebody typed occurs somewhere in an entry, whatever its case. */
export function matches(entry: AtlasEntry, typed: string): boolean {
  const { status, code, title, happened, whose, next } = entry
  const text = [status, code ?? "", title, happened, whose, next].join(" ").toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
