import { dayOfNumber } from "../../contract/zoned-days.ts"
import type { CoreContext } from "../context.ts"
import { stored } from "../errors.ts"
import { byFigure } from "./order-reports.ts"
import { groupsIn, isTimed, momentsOf } from "./periods.ts"
import { additive, type ReportReader } from "./report.ts"
import type { CardsSum } from "./report-store.ts"

const noCards = { cents: 0, cards: 0, tests: 0 }

/** Sums the cards of the register by when they were issued; test cards are only counted. */
export function cardsReader(
  { store, settings }: Pick<CoreContext, "store" | "settings">,
  by: "month" | "day" | "template",
  timeZone: string,
): ReportReader {
  return async (period) => {
    const sums = await stored(
      store.cards.spend({ ...momentsOf(period, timeZone), by: isTimed(by) ? "day" : by }),
    )
    if (isTimed(by)) {
      const length = by === "month" ? 7 : 10
      const found = Map.groupBy(sums, ({ group }) => dayOfNumber(Number(group)).slice(0, length))
      const rows = groupsIn(period, by).map((group) => {
        return { group, label: group, values: cardFigures(found.get(group) ?? []) }
      })
      return additive(rows, noCards)
    }
    const { templates } = await settings.get("cardTemplates")
    const names = new Map(templates.map(({ id, name }) => [id, name]))
    const rows = sums.map((sum) => {
      return { group: sum.group, label: names.get(sum.group) ?? sum.group, values: cardFigures([sum]) }
    })
    return additive(rows.toSorted(byFigure("cents", "cards", "tests")), noCards)
  }
}

function cardFigures(sums: readonly CardsSum[]): typeof noCards {
  const figures = { ...noCards }
  for (const { cents, cards, tests } of sums) {
    figures.cents += cents
    figures.cards += cards
    figures.tests += tests
  }
  return figures
}
