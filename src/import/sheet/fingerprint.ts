import type { RowValues, Recipe } from "../recipes/recipe.ts"

/**
 * SHA-256 over what the rows would do, as hexadecimal text: the same for the same rows in another order, with other
 * spelling of numbers or case, from a file or pasted. Null where the browser has no cryptography (plain HTTP).
 */
export async function fingerprintOf(recipe: Recipe, rows: readonly RowValues[]): Promise<string | null> {
  // The type says it is always there; a page that came over plain HTTP has none.
  if (!("subtle" in crypto)) return null
  const lines = rows.map((row) => recipe.normal(row)).toSorted()
  const bytes = new TextEncoder().encode([recipe.name, ...lines].join("\n"))
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")
}
