import { formatCount, plainNumber } from "../../lib/format.ts"
import type { Finding, Rule, RuleRow, RowValues } from "../recipes/recipe.ts"

/**
 * Compares the orders and the tracking numbers of a file. An order has one number, so an order with two of them is
 * wrong until one row is removed; an order id in the place of a number is wrong; one number for several orders may be
 * one parcel, and a person says so.
 * @param same the same text for rows that say the same: they are duplicates, not contradictions
 */
export function numbersOfOrders(same: (values: RowValues) => string): Rule {
  return (rows) => {
    const ids = new Set(rows.map(orderOf))
    const beginning = commonBeginning(ids)
    const byOrder = Map.groupBy(rows, orderOf)
    const byNumber = Map.groupBy(rows, numberOf)
    return rows.flatMap((row, at): Finding[] => {
      const number = String(row.values["tracking_number"] ?? "")
      if (ids.has(number) || (beginning !== "" && number.toLowerCase().startsWith(beginning))) {
        return [problem(at, "tracking_number", "An order id, not a tracking number")]
      }
      const other = (byOrder.get(orderOf(row)) ?? []).find((each) => same(each.values) !== same(row.values))
      if (other !== undefined) {
        return [
          problem(at, "order_id", `Row ${formatCount(other.number)} has a different number: remove one`),
        ]
      }
      const first = byNumber
        .get(numberOf(row))
        ?.find((each) => each.number < row.number && orderOf(each) !== orderOf(row))
      if (first === undefined) return []
      const text = `Same number as row ${formatCount(first.number)}, another order`
      return [{ at, field: "tracking_number", severity: "check", code: "check", text }]
    })
  }
}

function orderOf({ values }: RuleRow): string {
  return String(values["order_id"] ?? "")
}

function numberOf({ values }: RuleRow): string {
  return plainNumber(String(values["tracking_number"] ?? ""))
}

/** What the ids of one service begin with (`ord_`), where all of them do; else empty. */
function commonBeginning(ids: ReadonlySet<string>): string {
  const [first = ""] = ids
  const found = /^[A-Za-z]+[_:.#]/.exec(first)?.[0].toLowerCase() ?? ""
  return [...ids].every((id) => id.toLowerCase().startsWith(found)) ? found : ""
}

function problem(at: number, field: string, text: string): Finding {
  return { at, field, severity: "problem", code: "check", text }
}
