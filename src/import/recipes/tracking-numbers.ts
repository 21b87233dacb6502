import { hasLetterOrDigit, isRounded } from "../../../contract/job-rows.ts"
import { limits } from "../../../contract/limits.ts"
import { orderStatuses } from "../../../contract/program/order.ts"
import { plainNumber } from "../../../contract/orders.ts"
import { parcelNumber } from "../../../contract/parcel-number.ts"
import { formatCount } from "../../lib/format.ts"
import { eNotation, fieldOf, isFormula, readExact, readText, sameText } from "../read-cell.ts"
import type { Field, Finding, Reading, ReadingContext, Recipe, RowValues, Rule, RuleRow } from "../recipe.ts"
import { duplicates } from "../rules.ts"

const trackingNumber = fieldOf("order-update", "tracking_number", {
  names: `tracking, tracking no, tracking id, tracking code, tracking ref, consignment, consignment number,
    consignment note, connote, article id, waybill, air waybill, AWB, parcel number, shipment number, Sendungsnummer,
    Paketnummer, numéro de suivi, número de seguimiento, numero di tracciamento, código de rastreio, 追跡番号`,
  type: "id",
  read: readTracking,
})

const orderFields = (tracking: Field): readonly Field[] => [
  fieldOf("order-update", "order_id", {
    required: "An order id is required",
    names: `order, order no, order number, order reference, order ref, Bestellnummer, Auftragsnummer,
      numéro de commande, commande, pedido, número de pedido, ordine, numero ordine, bestelling, 注文番号`,
    type: "id",
    read: readExact("an order id"),
  }),
  tracking,
  // Recognised from the number where a file does not say.
  fieldOf("order-update", "carrier", {
    names: `carrier name, courier, shipping carrier, shipped via, ship via, shipping company, Versanddienst,
      Spediteur, transporteur, transportista, corriere, transportadora, 配送業者`,
    constant: true,
    read: readText(limits.shortText),
  }),
  fieldOf("order-update", "status", {
    names: "order status, new status, Bestellstatus, statut, estado, stato, 注文状況",
    constant: true,
    read: (text) => {
      const status = orderStatuses.find((each) => each === text.toLowerCase())
      return status === undefined
        ? { problem: `Not a status: ${orderStatuses.join(", ")}` }
        : { value: status }
    },
  }),
]

/** Digits beyond these are zeros once a spreadsheet has held a number. */
const exactDigits = 15

/** Reads a tracking number, out of a label's barcode: text in which every character counts, zeros at its beginning too. */
function readTracking(cell: string, context: ReadingContext): Reading {
  const text = parcelNumber(cell)
  if (isRounded(text)) return { problem: "Rounded by a spreadsheet: its last digits are lost" }
  if (!hasLetterOrDigit(text)) return { problem: "A tracking number has letters or digits" }
  // `12E45` may well be a carrier's own number.
  if (eNotation.test(text)) return { value: text, check: "Looks shortened by a spreadsheet" }
  if (isFormula(text)) return { problem: "A formula, not a tracking number" }
  const reading = readExact("a tracking number")(text, context)
  const endsLikeRounded = /^\d{17,}$/.test(text) && /^0+$/.test(text.slice(exactDigits))
  if ("problem" in reading || !endsLikeRounded) return reading
  return { ...reading, check: "Ends in zeros: a spreadsheet may have rounded it" }
}

/** One change of an order: two rows with the same one are one change written twice. */
const normal = ({ order_id: id, tracking_number: number, carrier, status }: RowValues) =>
  JSON.stringify([id, number, sameText(carrier), status])

const orderOf = ({ values }: RuleRow) => String(values["order_id"] ?? "")
const numberOf = ({ values }: RuleRow) => String(values["tracking_number"] ?? "")

/** An order has one number; one number for several orders may be one parcel, which a person confirms. */
const numbersOfOrders: Rule = (rows) => {
  const ids = new Set(rows.map(orderOf))
  const prefix = commonPrefix(ids)
  const byOrder = Map.groupBy(rows, orderOf)
  const byNumber = Map.groupBy(rows, (row) => plainNumber(numberOf(row)))
  return rows.flatMap((row, at): Finding[] => {
    const number = numberOf(row)
    if (ids.has(number) || (prefix !== "" && number.toLowerCase().startsWith(prefix))) {
      return [problem(at, "tracking_number", "An order id, not a tracking number")]
    }
    const other = byOrder.get(orderOf(row))?.find((each) => normal(each.values) !== normal(row.values))
    if (other !== undefined) {
      return [problem(at, "order_id", `Row ${formatCount(other.number)} has a different number: remove one`)]
    }
    const first = byNumber
      .get(plainNumber(number))
      ?.find((each) => each.number < row.number && orderOf(each) !== orderOf(row))
    if (first === undefined) return []
    const text = `Same number as row ${formatCount(first.number)}, another order`
    return [{ at, field: "tracking_number", severity: "check", code: "check", text }]
  })
}

function problem(at: number, field: string, text: string): Finding {
  return { at, field, severity: "problem", code: "check", text }
}

/** What the ids of one service begin with (`ord_`), where all of them do; else empty. */
function commonPrefix(ids: ReadonlySet<string>): string {
  const [first = ""] = ids
  const found = /^[A-Za-z]+[_:.#]/.exec(first)?.[0].toLowerCase() ?? ""
  return [...ids].every((id) => id.toLowerCase().startsWith(found)) ? found : ""
}

/** Any change of an order, where a row of a job is edited: it may have a status or a carrier alone. */
export const orderEdit: Recipe = {
  name: "order-edit",
  fields: orderFields(trackingNumber),
  rules: [],
  who: (values) => String(values["order_id"]),
  normal,
}

/** Tracking numbers of orders (contract/job-rows.ts, `orderUpdateRow`). */
export const orderUpdate: Recipe = {
  ...orderEdit,
  name: "order-update",
  fields: orderFields({ ...trackingNumber, required: "A tracking number is required" }),
  rules: [duplicates(normal, ["order_id"], "check"), numbersOfOrders],
}
