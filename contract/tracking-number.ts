import * as z from "zod/mini"
import { hasWrongCheckDigit, parcelNumber } from "./parcel-number.ts"
import { exactField } from "./program/common.ts"
import { eNotation, isErrorCell, isFormula, quotedText } from "./typed-text.ts"

/** A text as it was meant: `="0034"` of a spreadsheet without its quotes, full-width and styled characters as ASCII. */
function meantText(text: string): string {
  const trimmed = text.trim()
  return (quotedText(trimmed) ?? trimmed).normalize("NFKC")
}

/** The tracking number in a typed, pasted or scanned text; in a label’s barcode, its number. */
export function trackingText(text: string): string {
  return parcelNumber(meantText(text))
}

/** A number that a spreadsheet rounded, losing its last digits. `12E45` may be a real number. */
const rounded = /^(?:\d+[.,]\d+E\+?\d+|\d+E\+\d+)$/i

/** Whether a spreadsheet rounded this tracking number. */
export function isRounded(text: string): boolean {
  return rounded.test(text.trim())
}

/** Why a text is certainly no tracking number, for a form and for a cell of a file. */
const refusals = {
  rounded: {
    sentence:
      "A spreadsheet rounded this number, so its last digits are lost. Format the column as text and copy it again.",
    cell: "Rounded by a spreadsheet: its last digits are lost",
  },
  error: {
    sentence: "This is a spreadsheet’s error, not a tracking number.",
    cell: "A spreadsheet’s error",
  },
  formula: {
    sentence: "This is a formula, not a tracking number. Copy the cell’s value instead.",
    cell: "A formula, not a tracking number",
  },
  link: {
    sentence: "This is a link without a tracking number. Enter the number on the parcel.",
    cell: "A link without a tracking number",
  },
  empty: {
    sentence: "A tracking number has letters or digits.",
    cell: "A tracking number has letters or digits",
  },
  order: {
    sentence: "This is an order number, not a tracking number. Scan or enter the number on the parcel.",
    cell: "An order number, not a tracking number",
  },
  "own-order": {
    sentence: "This is the order’s own id. Scan or enter the number on the parcel.",
    cell: "An order number, not a tracking number",
  },
} as const

/** The reason why a text that was read by `trackingText` is certainly no tracking number; undefined: it may be one. */
export function trackingRefusal(text: string) {
  if (isRounded(text)) return refusals.rounded
  if (isErrorCell(text)) return refusals.error
  if (isFormula(text)) return refusals.formula
  if (isLink(text) && numberInLink(text) === undefined) return refusals.link
  return /[\p{L}\p{N}]/u.test(text) ? undefined : refusals.empty
}

const plainId = (text: string) => text.replaceAll(/[\s-]/g, "").toLowerCase()

/** The beginning of order ids in the service’s document. */
const documentedOrders = /^ord_/i

/**
 * The reason why a number for the order `orderId` is an order’s id; undefined: it is none. Ids of one service share a
 * beginning (`ord_`) that no carrier’s number has.
 */
export function orderRefusal(number: string, orderId: string) {
  if (plainId(number) === plainId(orderId)) return refusals["own-order"]
  const prefix = /^[A-Za-z]+[_:.#]/.exec(orderId)?.[0].toLowerCase()
  const beginsAlike = prefix !== undefined && number.toLowerCase().startsWith(prefix)
  return beginsAlike || documentedOrders.test(number) ? refusals.order : undefined
}

const months =
  "jan feb mar apr may jun jul aug sep oct nov dec mär mai okt dez fév avr mai juin juil aoû déc ene abr ago dic gen mag giu lug set ott"
    .split(" ")
    .map((name) => `${name}\\p{L}*\\.?`)
    .join("|")
const dates = new RegExp(
  `^(?:(?:0?[1-9]|[12]\\d|3[01])[-/. ](?:${months}|0?[1-9]|1[0-2])(?:[-/. ](?:\\d{2}|\\d{4}))?|(?:${months})[-/. ]\\d{1,4}|\\d{4}-\\d{2}-\\d{2}(?:[T ].*)?)$`,
  "iu",
)

/** Whether a text is built like a date: a spreadsheet may have made one of a number. */
export const isDateLike = (text: string): boolean => dates.test(text)

/** Spreadsheets replace all further digits with zeros. */
const exactDigits = 15

/** What makes a tracking number doubtful, so that a person confirms it: for a form, and for a cell of a file. */
const doubts = {
  link: { sentence: "This is a link, not a tracking number", cell: "A link, not a number" },
  decimals: {
    sentence: "This number has decimals: a spreadsheet may have changed it",
    cell: "Has decimals: a spreadsheet may have changed it",
  },
  shortened: {
    sentence: "A spreadsheet may have shortened this number",
    cell: "Looks shortened by a spreadsheet",
  },
  zeros: {
    sentence: "This number ends in zeros: a spreadsheet may have rounded it",
    cell: "Ends in zeros: a spreadsheet may have rounded it",
  },
  digit: {
    sentence: "The check digit of this number is wrong",
    cell: "Wrong check digit: compare it with the label",
  },
  date: {
    sentence: "This looks like a date: a spreadsheet may have changed it",
    cell: "Looks like a date: a spreadsheet may have changed it",
  },
  words: { sentence: "This looks like words, not a tracking number", cell: "Words, not a tracking number?" },
  letters: {
    sentence: "This number has characters other than A–Z and 0–9",
    cell: "Has characters other than A–Z and 0–9",
  },
} as const

/** A doubt about a number. `fix`: the number that is probably meant. */
export interface TrackingDoubt {
  readonly code: keyof typeof doubts
  readonly sentence: string
  readonly cell: string
  readonly fix?: string
}

const doubt = (code: keyof typeof doubts, fix?: string): TrackingDoubt => ({
  code,
  ...doubts[code],
  ...(fix !== undefined && { fix }),
})

/** Whether a text is a link, such as one to a carrier’s tracking page. */
const isLink = (text: string): boolean => /^(?:https?:\/\/|www\.)/i.test(text)

/** Why a person should confirm a text as a tracking number; undefined: nothing is odd about it. */
export function trackingDoubt(given: string): TrackingDoubt | undefined {
  if (isLink(given)) return doubt("link", numberInLink(given))
  const integer = /^(\d+)[.,]0+$/.exec(given)?.[1]
  if (integer !== undefined) return doubt("decimals", integer)
  const text = trackingText(given)
  if (text === "") return undefined
  if (eNotation.test(text)) return doubt("shortened")
  if (/^\d{17,}$/.test(text) && /^0+$/.test(text.slice(exactDigits))) return doubt("zeros")
  if (hasWrongCheckDigit(meantText(given))) return doubt("digit")
  if (isDateLike(text)) return doubt("date")
  if (!/\p{N}/u.test(text) || /\p{L}{3,}\s+\p{L}/u.test(text)) return doubt("words")
  return /(?![A-Za-z\d])[\p{L}\p{N}]/u.test(text) ? doubt("letters") : undefined
}

/** Parameters with a tracking number in carriers' links (contract/orders.ts, `firstCarriers`) and similar ones. */
const linkParameter =
  /^(?:.*track.*|trknbr|tlabels?|id|l|ref|cons|number|.*search.*|.*consignment.*|.*waybill.*)$/i

const couldBeNumber = (text: string) => /^(?=.*\d)[\p{L}\p{N} .-]{6,40}$/u.test(text)

/** The tracking number in a carrier's link: a parameter, else the last part of its path. */
function numberInLink(link: string): string | undefined {
  const address = /^www\./i.test(link) ? `https://${link}` : link
  if (!URL.canParse(address)) return undefined
  const { searchParams, pathname, hash } = new URL(address)
  const given = [...searchParams].flatMap(([name, value]) => (linkParameter.test(name) ? [value] : []))
  const parts = `${pathname}/${hash.slice(1)}`.split(/[/=?&]/).toReversed()
  return [...given, ...parts.map(decoded)].find(couldBeNumber)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** A tracking number is text, leading zeros and all, taken out of a label's barcode; empty text clears it. */
export const trackingNumber = exactField().check(
  z.overwrite(trackingText),
  z.check(({ value, issues }) => {
    const message = value === "" ? undefined : trackingRefusal(value)?.sentence
    if (message !== undefined) issues.push({ code: "custom", message, input: value })
  }),
)
