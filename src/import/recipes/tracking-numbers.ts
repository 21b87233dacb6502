import { hasLetterOrDigit, isRounded } from "../../../contract/kinds/order-update.ts"
import { limits } from "../../../contract/limits.ts"
import { orderStatuses } from "../../../contract/program/order.ts"
import { plainNumber } from "../../../contract/orders.ts"
import { hasWrongCheckDigit, isLabelBarcode, parcelNumber } from "../../../contract/parcel-number.ts"
import { formatCount } from "../../lib/format.ts"
import { shortOrder } from "../../lib/order-ids.ts"
import { eNotation, fieldOf, isFormula, readExact, readText, sameText } from "../read-cell.ts"
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
    if (!isNumber || isOrderLike(text) || dates.test(text)) return 0
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

const months =
  "jan feb mar apr may jun jul aug sep oct nov dec mär mai okt dez fév avr mai juin juil aoû déc ene abr ago dic gen mag giu lug set ott"
    .split(" ")
    .map((name) => `${name}\\p{L}*\\.?`)
    .join("|")
const dates = new RegExp(
  `^(?:(?:0?[1-9]|[12]\\d|3[01])[-/. ](?:${months}|0?[1-9]|1[0-2])(?:[-/. ](?:\\d{2}|\\d{4}))?|(?:${months})[-/. ]\\d{1,4}|\\d{4}-\\d{2}-\\d{2}(?:[T ].*)?)$`,
  "iu",
)

/** Reads a tracking cell: an unlikely number has to be confirmed, with the likely one suggested. */
function readTrackingCell(text: string, context: ReadingContext): Reading {
  if (/^(?:https?:\/\/|www\.)/i.test(text)) {
    const number = numberInLink(text)
    if (number === null) return { problem: "A link without a tracking number" }
    return { value: text, check: "A link, not a number", fix: { text: number, label: `Use ${number}` } }
  }
  const integer = /^(\d+)[.,]0+$/.exec(text)?.[1]
  if (integer !== undefined) {
    const check = "Has decimals: a spreadsheet may have changed it"
    return { value: text, check, fix: { text: integer, label: `Use ${integer}` } }
  }
  const reading = readTracking(text, context)
  if ("problem" in reading || reading.check !== undefined) return reading
  if (dates.test(text)) return { ...reading, check: "Looks like a date: a spreadsheet may have changed it" }
  if (!/\p{N}/u.test(text) || /\p{L}{3,}\s+\p{L}/u.test(text)) {
    return { ...reading, check: "Words, not a tracking number?" }
  }
  return reading
}

/** Parameters with a tracking number in carriers' links (contract/orders.ts, `firstCarriers`) and similar ones. */
const linkParameter =
  /^(?:.*track.*|trknbr|tlabels?|id|l|ref|cons|number|.*search.*|.*consignment.*|.*waybill.*)$/i

const couldBeNumber = (text: string) => /^(?=.*\d)[\p{L}\p{N} .-]{6,40}$/u.test(text)

/** The tracking number in a carrier's link: a parameter, else the last part of its path; null if none. */
function numberInLink(link: string): string | null {
  const address = /^www\./i.test(link) ? `https://${link}` : link
  if (!URL.canParse(address)) return null
  const { searchParams, pathname, hash } = new URL(address)
  const given = [...searchParams].flatMap(([name, value]) => (linkParameter.test(name) ? [value] : []))
  const parts = `${pathname}/${hash.slice(1)}`.split(/[/=?&]/).toReversed()
  return [...given, ...parts.map(decoded)].find(couldBeNumber) ?? null
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
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

/** Spreadsheets replace all further digits with zeros. */
const exactDigits = 15

/** Reads a tracking number from a label's barcode: text in which every character counts, leading zeros included. */
function readTracking(cell: string, context: ReadingContext): Reading {
  const text = parcelNumber(cell)
  if (isRounded(text)) return { problem: "Rounded by a spreadsheet: its last digits are lost" }
  if (!hasLetterOrDigit(text)) return { problem: "A tracking number has letters or digits" }
  // `12E45` may be a carrier's own number.
  if (eNotation.test(text)) return { value: text, check: "Looks shortened by a spreadsheet" }
  if (isFormula(text)) return { problem: "A formula, not a tracking number" }
  const reading = readExact("a tracking number")(text, context)
  const endsLikeRounded = /^\d{17,}$/.test(text) && /^0+$/.test(text.slice(exactDigits))
  if ("problem" in reading) return reading
  if (endsLikeRounded) return { ...reading, check: "Ends in zeros: a spreadsheet may have rounded it" }
  return hasWrongCheckDigit(cell)
    ? { ...reading, check: "Wrong check digit: compare it with the label" }
    : reading
}

/** Equal for rows with the same change of an order. */
const normal = ({ order_id: id, tracking_number: number, carrier, status }: RowValues) =>
  JSON.stringify([id, number, sameText(carrier), status])

const orderOf = ({ values }: RuleRow) => String(values["order_id"] ?? "")
const numberOf = ({ values }: RuleRow) => String(values["tracking_number"] ?? "")

/** An order has one number. The same number for several orders may be one parcel, which has to be confirmed. */
const numbersOfOrders: Rule = (rows) => {
  const ids = new Set(rows.map(orderOf))
  const prefix = commonPrefix(ids)
  const byOrder = Map.groupBy(rows, orderOf)
  const byNumber = Map.groupBy(rows, (row) => plainNumber(numberOf(row)))
  return rows.flatMap((row, at): Finding[] => {
    const number = numberOf(row)
    if (ids.has(number) || (prefix !== "" && number.toLowerCase().startsWith(prefix))) {
      return [problem(at, "tracking_number", "An order number, not a tracking number")]
    }
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

/** The common prefix of all ids (`ord_`); empty if there is none. */
function commonPrefix(ids: ReadonlySet<string>): string {
  const [first = ""] = ids
  const found = /^[A-Za-z]+[_:.#]/.exec(first)?.[0].toLowerCase() ?? ""
  return [...ids].every((id) => id.toLowerCase().startsWith(found)) ? found : ""
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
