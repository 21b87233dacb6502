import { formatCount } from "../../lib/format.ts"
import type { Finding, Rule } from "../recipes/recipe.ts"

/**
 * References that make no card: a row further up has the same one on the same template, or something at the desk has it
 * already. The server refuses such a row, so it needs another reference.
 */
export const cardReferences: Rule = (rows, { cards }) => {
  const usual = cards?.settings.default ?? ""
  const used = new Map(
    (cards?.used ?? []).map(({ template, reference, by }) => [keyOf(template, reference), by]),
  )
  const first = new Map<string, number>()
  return rows.flatMap(({ values, number }, at): Finding[] => {
    const reference = values["externalRef"]
    if (reference === undefined) return []
    const key = keyOf(String(values["cardId"] ?? usual), String(reference))
    const by = used.get(key)
    const earlier = first.get(key)
    if (earlier === undefined) first.set(key, number)
    if (by === undefined && earlier === undefined) return []
    const text =
      by === undefined ? `Same reference as row ${formatCount(earlier ?? 0)}` : `Already used by ${by}`
    return [{ at, field: "externalRef", severity: "problem", code: "check", text }]
  })
}

function keyOf(template: string, reference: string): string {
  return JSON.stringify([template, reference])
}
