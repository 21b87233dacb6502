import { limits } from "../../../contract/limits.ts"
import { isDay } from "../../lib/time.ts"
import { readExact, readInteger, withoutMailto } from "../read-cell.ts"
import type { Field, Reading, Recipe, RowValues } from "../recipe.ts"

const reference: Field = {
  key: "reference",
  label: "Reference",
  names: `ref, external reference, external ref, invoice, invoice number, document, document number, voucher, order number, transaction id,
    Referenz, Belegnummer, Rechnungsnummer, référence, referencia, riferimento`,
  type: "id",
  read: readExact("a reference"),
}

const readMemberText = readExact("a member")

const member: Field = {
  key: "member",
  label: "Member (id or e-mail)",
  names: `id, member id, member no, member number, e-mail, email, mail, email address, e-mail address, participant id,
    Mitglied, Mitgliedsnummer, membre, miembro, membro`,
  type: "id",
  read: (text, context) => readMemberText(withoutMailto(text), context),
}

const points: Field = {
  key: "points",
  label: "Points",
  required: "Points are required",
  names: `pts, point, amount, quantity, debit, credit, value, Punkte, Betrag, puntos, montant, importe, punti`,
  type: "number",
  read: (text, { style }) => readInteger(text, style, { min: -limits.pointsMax, max: limits.pointsMax }),
}

const day: Field = {
  key: "day",
  label: "Date",
  required: "A date is required",
  names: `day, posted, posting date, booked, booking date, transaction date, document date, created, created at,
    Datum, Buchungsdatum, date de comptabilisation, fecha, data`,
  read: (text, { month }) => readDay(text, month),
}

/** Entries of a finance system, compared with the ledgers of a month (contract/books.ts). */
export const bookMatch: Recipe = {
  name: "book-match",
  fields: [reference, member, points, day],
  oneOf: {
    keys: ["reference", "member"],
    label: "Reference or member",
    empty: "A reference or a member is required",
  },
  // Equal rows are usual in a finance file; the comparison counts them.
  rules: [],
  who: (values: RowValues) => String(values["member"] ?? values["reference"] ?? ""),
  amount: "points",
  normal: (values: RowValues) => JSON.stringify(values),
}

const monthNames = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ")

/**
 * Reads a day: `2026-10-05`, `5/10/2026`, `5 Oct 2026`, with or without a time. Of two readings, day or month first, the
 * one in `month` is meant, else the day is first.
 */
export function readDay(text: string, month?: string): Reading {
  const [first, ...others] = readingsOf(text).filter(isDay)
  if (first === undefined) return { problem: "Not a date: write 2026-10-05" }
  return {
    value:
      others.find((each) => month !== undefined && each.startsWith(month) && !first.startsWith(month)) ??
      first,
  }
}

function readingsOf(text: string): readonly string[] {
  const yearFirst = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$/.exec(text)
  if (yearFirst !== null) return [dayOf(yearFirst[1], yearFirst[2], yearFirst[3])]
  const numbers = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})(?:,? .*)?$/.exec(text)
  if (numbers !== null) {
    const [, one, other, year] = numbers
    return [dayOf(year, other, one), dayOf(year, one, other)]
  }
  const named = /^(\d{1,2})[-/. ]+(\p{L}{3,9})\.?[-/., ]+(\d{4}|\d{2})(?:,? .*)?$/u.exec(text)
  if (named !== null) return [dayOf(named[3], monthOf(named[2]), named[1])]
  const monthFirst = /^(\p{L}{3,9})\.? +(\d{1,2}),? +(\d{4})(?:,? .*)?$/u.exec(text)
  return monthFirst === null ? [] : [dayOf(monthFirst[3], monthOf(monthFirst[1]), monthFirst[2])]
}

const monthOf = (name = "") => String(monthNames.indexOf(name.slice(0, 3).toLowerCase()) + 1)

function dayOf(year = "", month = "", day = ""): string {
  return `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`
}
