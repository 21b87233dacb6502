import { dayOfNumber, startOfDay } from "../../contract/zoned-days.ts"
import type { CopyStore } from "../copy/copy-store.ts"
import type { CoreContext } from "../context.ts"
import { stored } from "../errors.ts"
import { groupsIn, isTimed, momentsOf } from "./periods.ts"
import { additive, type ReportReader, type ReportSums } from "./report.ts"
import type { CardsSum, OrdersSum, ShippingSum } from "./report-store.ts"

type Copy = Pick<CopyStore, "reports">

const noOrders = { orders: 0, points: 0, cancelled: 0, cancelled_points: 0 }

/** Sums orders by when they were placed, cancelled ones apart. */
export function rewardsReader(
  { reports }: Copy,
  by: "reward" | "category" | "month" | "day",
  timeZone: string,
): ReportReader {
  return async (period) => {
    const span = momentsOf(period, timeZone)
    const sums = await stored(reports.redemptions({ ...span, by: isTimed(by) ? "day" : by }))
    if (isTimed(by)) {
      const found = Map.groupBy(sums, ({ group }) => timeOf(dayOfNumber(Number(group)), by))
      const rows = groupsIn(period, by).map((group) => ({
        group,
        label: group,
        values: orderFigures(found.get(group) ?? []),
      }))
      return additive(rows, noOrders)
    }
    const rows = sums.map((sum) => ({ group: sum.group, label: sum.label, values: orderFigures([sum]) }))
    return additive(rows.toSorted(byFigure("orders", "points", "cancelled")), noOrders)
  }
}

const timeOf = (day: string, by: "month" | "day") => (by === "month" ? day.slice(0, 7) : day)

function orderFigures(sums: readonly OrdersSum[]): typeof noOrders {
  const figures = { ...noOrders }
  for (const { orders, points, cancelled, cancelledPoints } of sums) {
    figures.orders += orders
    figures.points += points
    figures.cancelled += cancelled
    figures.cancelled_points += cancelledPoints
  }
  return figures
}

/** Orders rows by a figure, the largest first, then by the next ones and by group. */
export function byFigure(...names: readonly string[]) {
  return (one: ReportSums["rows"][number], other: ReportSums["rows"][number]): number => {
    for (const name of names) {
      const more = (other.values[name] ?? 0) - (one.values[name] ?? 0)
      if (more !== 0) return more
    }
    return one.group < other.group ? -1 : 1
  }
}

/** Time from order to shipped, by the month of shipping, carrier or reward. Medians do not add up to a total. */
export function fulfilmentReader(
  { reports }: Copy,
  by: "month" | "carrier" | "reward",
  timeZone: string,
): ReportReader {
  return async (period) => {
    const { from, to } = momentsOf(period, timeZone)
    const months = groupsIn(period, "month")
    const starts = months.map((month) => startOfDay(`${month}-01`, timeZone))
    const read = (how: "all" | "start" | "carrier" | "reward") =>
      stored(reports.shipping({ from, to, starts, by: how }))
    const [total] = await read("all")
    const sums = await read(by === "month" ? "start" : by)
    return { rows: by === "month" ? monthRows(sums, months) : namedRows(sums), total: shipped(total) }
  }
}

function shipped(sum: ShippingSum | undefined) {
  return sum === undefined
    ? { shipped: 0, median: null, p90: null }
    : { shipped: sum.shipped, median: sum.median, p90: sum.p90 }
}

function monthRows(sums: readonly ShippingSum[], months: readonly string[]): ReportSums["rows"] {
  const found = new Map(sums.map((sum) => [Number(sum.group), sum]))
  return months.map((group, at) => ({ group, label: group, values: shipped(found.get(at)) }))
}

function namedRows(sums: readonly ShippingSum[]): ReportSums["rows"] {
  return sums
    .map((sum) => ({ group: sum.group, label: sum.label, values: shipped(sum) }))
    .toSorted(byFigure("shipped"))
}

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
