import { nearestAmount, refusalOfPair } from "../../../contract/cards.ts"
import { centsOf, formatMoney } from "../../lib/format.ts"
import type { Finding, Rule } from "../recipes/recipe.ts"

/**
 * Amounts that their template does not have, with the nearest one that it has. One that the service refused before has
 * to be kept by a person, who means it all the same. A template without entered amounts is learned from the service's
 * answers: nothing else is said of it.
 */
export const cardAmounts: Rule = (rows, { cards, style }) => {
  if (cards === undefined) return []
  const { settings, pairs, currency } = cards
  const templates = new Map(settings.templates.map((template) => [template.id, template]))
  return rows.flatMap(({ values }, at): Finding[] => {
    const id = String(values["cardId"] ?? settings.default ?? "")
    const template = templates.get(id)
    const asked = Number(values["denomination"])
    const refused = refusalOfPair(pairs, id, asked) !== undefined
    const isUnknown = template === undefined || template.denominations.length === 0
    if (!refused && (isUnknown || template.denominations.includes(asked))) return []
    const nearest = template === undefined ? undefined : nearestAmount(template, pairs, asked)
    const named = `${plainMoney(asked, currency)} ${refused ? "was refused" : "isn't available"} for ${template?.name ?? id}`
    const found = {
      at,
      field: "denomination",
      severity: refused ? "check" : "problem",
      code: "check",
    } as const
    if (nearest === undefined) return [{ ...found, text: named }]
    const use = plainMoney(nearest, currency)
    const fix = { text: String(nearest).replace(".", style), label: `Use ${use}` }
    return [{ ...found, text: `${named}. Nearest: ${use}`, fix }]
  })
}

/** "$1,000", "$12.50". */
function plainMoney(dollars: number, currency: string): string {
  return formatMoney(centsOf(dollars), currency).replace(/\.00$/, "")
}
