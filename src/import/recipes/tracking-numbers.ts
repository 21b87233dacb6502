import { limits } from "../../../contract/limits.ts"
import { orderStatuses } from "../../../contract/program/order.ts"
import { plainNumber } from "../../../contract/orders.ts"
import { isLabelBarcode } from "../../../contract/parcel-number.ts"
import {
  isDateLike,
  orderRefusal,
  trackingDoubt,
  trackingRefusal,
  trackingText,
} from "../../../contract/tracking-number.ts"
import { eNotation } from "../../../contract/typed-text.ts"
import { formatCount } from "../../lib/format.ts"
import { shortOrder } from "../../lib/order-ids.ts"
import { fieldOf, readExact, readText, sameText } from "../read-cell.ts"
import {
  duplicates,
  type Field,
  type Finding,
  type Reading,
  type ReadingContext,
  type Recipe,
  type RowValues,
  type Rule,
  type RuleRow,
} from "../recipe.ts"

const trackingNumber = fieldOf("order-update", "tracking_number", {
  names: `tracking, tracking no, tracking numbers, package tracking number, Sendle reference, tracking id, tracking code, tracking ref, consignment, consignment number,
    consignment note, connote, article id, waybill, air waybill, AWB, parcel number, shipment number, Sendungsnummer,
    Paketnummer, numéro de suivi, número de seguimiento, numero di tracciamento, código de rastreio, 追跡番号`,
  type: "id",
  read: readTrackingCell,
  likeness: (text) => {
    const isNumber = /^(?=(?:.*\d){6})[A-Z\d][A-Z\d -]{6,39}$/i.test(text) || isLabelBarcode(text)
    if (!isNumber || isOrderLike(text) || isDateLike(text)) return 0
    // A phone number has no letters and fewer digits.
    return /[A-Z]/i.test(text) || plainNumber(text).length > 11 ? 1 : 0.5
  },
})

/** `#20411`, `Order #20411`, `ord_20411`, and `20411` alone. */
const isOrderLike = (text: string) => shortOrder(text) !== undefined || /^#?[A-Z]+[_:.#-]\d+$/i.test(text)

const orderFields = (tracking: Field): readonly Field[] => [
  fieldOf("order-update", "order_id", {
    required: "An order number is required",
    names: `order, order no, order number, order reference, order ref, Bestellnummer, Auftragsnummer,
      numéro de commande, commande, pedido, número de pedido, ordine, numero ordine, bestelling, 注文番号`,
    type: "id",
    likeness: (text) => (isOrderLike(text) ? (/\D/.test(text) ? 1 : 0.5) : 0),
    read: readExact("an order number"),
  }),
  tracking,
  // Recognised from the number if the file has no carrier.
  fieldOf("order-update", "carrier", {
    names: `carrier name, courier, shipping carrier, shipped via, ship via, shipping company, Versanddienst,
      Spediteur, transporteur, transportista, corriere, transportadora, 配送業者`,
    constant: true,
    text: "free",
    read: readText(limits.shortText),
  }),
  fieldOf("order-update", "status", {
    names: "order status, new status, Bestellstatus, statut, estado, stato, 注文状況",
    likeness: (text) => (orderStatuses.some((each) => each === text.toLowerCase()) ? 1 : 0),
    constant: true,
    read: (text) => {
      const status = orderStatuses.find((each) => each === text.toLowerCase())
      return status === undefined
        ? { problem: `Not a status: ${orderStatuses.join(", ")}` }
        : { value: status }
    },
  }),
]

/** Reads a tracking cell: an unlikely number has to be confirmed, with the likely one suggested. */
function readTrackingCell(cell: string, context: ReadingContext): Reading {
  const doubt = trackingDoubt(cell)
  if (doubt?.fix !== undefined) {
    return { value: cell, check: doubt.cell, fix: { text: doubt.fix, label: `Use ${doubt.fix}` } }
  }
  const text = trackingText(cell)
  const refusal = trackingRefusal(text)?.cell
  if (refusal !== undefined) return { problem: refusal }
  // `12E45` may be a carrier's own number.
  const reading = eNotation.test(text) ? { value: text } : readExact("a tracking number")(text, context)
  return "problem" in reading || doubt === undefined ? reading : { ...reading, check: doubt.cell }
}

/** From this many on, 16-digit numbers that all end in 0 were probably rounded: spreadsheets store 15 digits. */
const fewestRounded = 4

/** A column that was rounded, or that lost leading zeros in some rows. */
const changedNumbers: Rule = (rows) => {
  const numbers = rows.map(numberOf)
  const long = numbers.filter((number) => /^\d{16}$/.test(number))
  const isRoundedColumn = long.length >= fewestRounded && long.every((number) => number.endsWith("0"))
  const zeros = numbers.filter((number) => /^0+[1-9]\d*$/.test(number))
  return numbers.flatMap((number, at): Finding[] => {
    const found = { at, field: "tracking_number", severity: "check", code: "check" } as const
    if (isRoundedColumn && long.includes(number)) {
      return [{ ...found, text: "All of them end in 0: a spreadsheet may have rounded them" }]
    }
    const full = withLostZeros(number, zeros)
    if (full === null) return []
    return [
      { ...found, text: "Zeros at the beginning may be lost", fix: { text: full, label: `Use ${full}` } },
    ]
  })
}

/** Digits after the zeros that a number must share with others to count as one of them. */
const sharedDigits = 4

/** The number with the leading zeros of similar ones; null if there are none. */
function withLostZeros(number: string, zeros: readonly string[]): string | null {
  if (!/^[1-9]\d+$/.test(number)) return null
  const alike = zeros.find((other) => {
    const rest = other.replace(/^0+/, "")
    return rest.length === number.length && rest.startsWith(number.slice(0, sharedDigits))
  })
  return alike === undefined ? null : number.padStart(alike.length, "0")
}

/** Equal for rows with the same change of an order. */
const normal = ({ order_id: id, tracking_number: number, carrier, status }: RowValues) =>
  JSON.stringify([id, number, sameText(carrier), status])

const orderOf = ({ values }: RuleRow) => String(values["order_id"] ?? "")
const numberOf = ({ values }: RuleRow) => String(values["tracking_number"] ?? "")

/** An order has one number. The same number for several orders may be one parcel, which has to be confirmed. */
const numbersOfOrders: Rule = (rows) => {
  const ids = new Set(rows.map(orderOf))
  const byOrder = Map.groupBy(rows, orderOf)
  const byNumber = Map.groupBy(rows, (row) => plainNumber(numberOf(row)))
  return rows.flatMap((row, at): Finding[] => {
    const number = numberOf(row)
    const refusal = orderRefusal(number, ids.has(number) ? number : orderOf(row))
    if (refusal !== undefined) return [problem(at, "tracking_number", refusal.cell)]
    const ofOrder = byOrder.get(orderOf(row)) ?? []
    const isAlike = (other: RuleRow) => plainNumber(numberOf(other)) === plainNumber(number)
    const contradicts = ofOrder.find((each) => isAlike(each) && normal(each.values) !== normal(row.values))
    if (contradicts !== undefined) {
      return [problem(at, "order_id", `Row ${formatCount(contradicts.number)} says otherwise: remove one`)]
    }
    const main = ofOrder.find((each) => each.number < row.number && !isAlike(each))
    if (main !== undefined) {
      const text = `Second parcel of the order in row ${formatCount(main.number)}: keep it as a note?`
      return [{ at, field: "tracking_number", severity: "check", code: "check", text }]
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

/** Any change of an order, for editing a job's row: it may have only a status or a carrier. */
const orderEdit: Recipe = {
  name: "order-update",
  fields: orderFields(trackingNumber),
  rules: [],
  who: (values) => String(values["order_id"]),
  normal,
}

/** Tracking numbers of orders (contract/kinds/order-update.ts). */
const orderUpdate: Recipe = {
  ...orderEdit,
  edit: orderEdit,
  fields: orderFields({ ...trackingNumber, required: "A tracking number is required" }),
  rules: [duplicates(normal, ["order_id"], "check"), numbersOfOrders, changedNumbers],
}

/** Orders to cancel. They are not imported; only failed rows of a job are edited. */
const orderReturn: Recipe = { ...orderEdit, name: "order-return", fields: orderEdit.fields.slice(0, 1) }

export const orderRecipes = { "order-update": orderUpdate, "order-return": orderReturn }
