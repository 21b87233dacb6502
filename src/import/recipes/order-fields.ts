import { isRounded } from "../../../contract/job-rows.ts"
import { limits } from "../../../contract/limits.ts"
import { orderStatuses } from "../../../contract/program/order.ts"
import { eNotation, isFormula } from "../check/text-problems.ts"
import { readExact, readText } from "./fields.ts"
import type { Field, Reading } from "./recipe.ts"

/** The order's id. */
export const orderId: Field = {
  key: "order_id",
  label: "Order id",
  required: true,
  names: [
    "order",
    "order no",
    "order number",
    "order reference",
    "order ref",
    "Bestellnummer",
    "Auftragsnummer",
    "numéro de commande",
    "commande",
    "pedido",
    "número de pedido",
    "ordine",
    "numero ordine",
    "bestelling",
    "注文番号",
  ],
  mono: true,
  read: readExact(limits.shortText, "A formula, not an order id"),
  empty: "An order id is required",
}

/** Digits beyond these are zeros once a spreadsheet has held a number. */
const exactDigits = 15

/** A long number that ends in zeros from the place on where a spreadsheet stops counting. */
function endsLikeRounded(text: string): boolean {
  return /^\d+$/.test(text) && text.length >= exactDigits + 2 && /^0+$/.test(text.slice(exactDigits))
}

const readNumber = readExact(limits.shortText, "A formula, not a tracking number")

/** Reads a tracking number: text in which every character counts, zeros at its beginning too. */
function readTracking(text: string): Reading {
  if (isRounded(text)) return { problem: "Rounded by a spreadsheet: its last digits are lost" }
  // `12E45` may well be a carrier's own number.
  if (eNotation.test(text)) return { value: text, check: "Looks shortened by a spreadsheet" }
  const reading = isFormula(text)
    ? ({ problem: "A formula, not a tracking number" } as const)
    : readNumber(text, { style: "." })
  if ("problem" in reading || !endsLikeRounded(text)) return reading
  return { ...reading, check: "Ends in zeros: a spreadsheet may have rounded it" }
}

/** The parcel's number. */
export const trackingNumber: Field = {
  key: "tracking_number",
  label: "Tracking number",
  required: true,
  names: [
    "tracking",
    "tracking no",
    "tracking id",
    "tracking code",
    "tracking ref",
    "consignment",
    "consignment number",
    "consignment note",
    "connote",
    "article id",
    "waybill",
    "air waybill",
    "AWB",
    "parcel number",
    "shipment number",
    "Sendungsnummer",
    "Paketnummer",
    "numéro de suivi",
    "número de seguimiento",
    "numero di tracciamento",
    "código de rastreio",
    "追跡番号",
  ],
  mono: true,
  read: readTracking,
  empty: "A tracking number is required",
}

/** Who carries the parcel; recognised from the number where a file does not say. */
export const carrier: Field = {
  key: "carrier",
  label: "Carrier",
  required: false,
  names: [
    "carrier name",
    "courier",
    "shipping carrier",
    "shipped via",
    "ship via",
    "shipping company",
    "Versanddienst",
    "Spediteur",
    "transporteur",
    "transportista",
    "corriere",
    "transportadora",
    "配送業者",
  ],
  constant: true,
  read: readText(limits.shortText),
  empty: "A carrier is required",
}

/** Reads a status of an order, however its letters are written. */
function readStatus(text: string): Reading {
  const word = text.toLowerCase()
  const status = orderStatuses.find((each) => each === word)
  return status === undefined ? { problem: `Not a status: ${orderStatuses.join(", ")}` } : { value: status }
}

/** The status the order gets. */
export const orderStatus: Field = {
  key: "status",
  label: "Status",
  required: false,
  names: ["order status", "new status", "Bestellstatus", "statut", "estado", "stato", "注文状況"],
  constant: true,
  read: readStatus,
  empty: "A status is required",
}
