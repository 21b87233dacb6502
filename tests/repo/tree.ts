import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"

/** The project's root folder. */
export const root = fileURLToPath(new URL("../..", import.meta.url))

/** A source file: its path from the root and its text. */
export interface Source {
  readonly path: string
  readonly text: string
}

const generated = /\.gen\.ts$/

/** Every source file in the given folders, except generated ones. */
export function sources(...folders: string[]): Source[] {
  return folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name) && !generated.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: relative(root, file).replaceAll("\\", "/"), text: readFileSync(file, "utf8") }))
}

/** Import specifiers of a source file. */
export function importsOf(text: string): string[] {
  const matches = text.matchAll(/(?:from\s+|import\s*\(\s*|import\s+)"([^"]+)"/g)
  return [...matches].map((match) => match[1] ?? "")
}
