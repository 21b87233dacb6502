import { limitOf, limits, rowRefusal } from "../../../contract/limits.ts"
import type { JobKind } from "../../../contract/job.ts"
import { emailText } from "../../../contract/program/common.ts"
import { readWholeNumber } from "../check/whole-number.ts"
import { centsOf } from "../../lib/format.ts"
import { eNotation, isFormula, textProblem } from "../check/text-problems.ts"
import type { Field, Reading, SheetFacts } from "./recipe.ts"

/** Reads text of at most `max` characters. A formula stays the text it is, and is pointed out. */
export function readText(max: number): Field["read"] {
  return (text) => {
    const problem = tooLong(text, max) ?? textProblem(text)
    if (problem !== null) return { problem }
    return isFormula(text) ? { value: text, check: "Looks like a formula: kept as text" } : { value: text }
  }
}

/** Reads an id, a reference or a phone number: text in which every character counts. */
export function readExact(max: number, formula: string): Field["read"] {
  return (text) => {
    if (eNotation.test(text)) return { problem: "Shortened by a spreadsheet: digits are lost" }
    const problem = isFormula(text) ? formula : (tooLong(text, max) ?? textProblem(text))
    return problem === null ? { value: text } : { problem }
  }
}

function tooLong(text: string, max: number): string | null {
  return text.length > max ? `At most ${max} characters` : null
}

/** An amount above the limit of a row is refused in the server's words (contract/desk/amount-limits.ts). */
export function withinRowLimit(kind: JobKind, reading: Reading, { amounts }: SheetFacts): Reading {
  const limit = amounts && limitOf(kind, amounts.limits)
  if (limit === undefined || "problem" in reading || typeof reading.value !== "number") return reading
  const moved = limit.unit === "cents" ? centsOf(reading.value) : reading.value
  const problem = rowRefusal(limit, moved, amounts?.currency ?? "")
  return problem === undefined ? reading : { problem }
}

function readEmail(text: string): Reading {
  const problem = textProblem(text)
  if (problem !== null) return { problem }
  return emailText.safeParse(text).success ? { value: text } : { problem: "Not an e-mail address" }
}

/** One word with a digit that does not end like a host: what a mistyped address never looks like. */
const idShape = /^(?=\S*\d)(?!.*\.[a-z]{2,}$)\S+$/i

/**
 * Reads whom a row is about, whichever of both its column should hold: files mix ids and addresses. Ids have no
 * documented shape, so any text without an @ may be one where ids are expected; among addresses only what looks like one.
 */
function readMember(column: "member_id" | "email"): Field["read"] {
  const readId = readExact(limits.shortText, "A formula, not a member id")
  return (text, context) => {
    if (text.includes("@")) {
      const reading = readEmail(text)
      return "problem" in reading || column === "email" ? reading : { ...reading, as: "email" }
    }
    const reading = readId(text, context)
    if ("problem" in reading || column === "member_id") return reading
    return idShape.test(text)
      ? { ...reading, as: "member_id" }
      : { problem: "Not an e-mail address or a member id" }
  }
}

const emailNames = [
  "e-mail",
  "mail",
  "email address",
  "e-mail address",
  "member email",
  "correo",
  "courriel",
  "adresse e-mail",
  "E-Mail-Adresse",
  "posta elettronica",
  "メール",
]

/** The member's id. */
export const memberId: Field = {
  key: "member_id",
  label: "Member id",
  required: false,
  names: [
    "id",
    "member",
    "member no",
    "member number",
    "membership id",
    "participant id",
    "user id",
    "external id",
    "Mitglied",
    "Mitgliedsnummer",
    "Mitglieds-ID",
    "id membre",
    "membre",
    "miembro",
    "id de miembro",
    "id socio",
    "会員ID",
  ],
  mono: true,
  read: readMember("member_id"),
  empty: "A member id or an e-mail is required",
}

/** The e-mail address, as another way to name a member. */
export const memberEmail: Field = {
  key: "email",
  label: "E-mail",
  required: false,
  names: emailNames,
  read: readMember("email"),
  empty: "A member id or an e-mail is required",
}

/** The e-mail address of somebody new. */
export const newEmail: Field = {
  ...memberEmail,
  required: true,
  read: readEmail,
  empty: "An e-mail is required",
}

/** Points, at least 1 and whole (docs/api/program.md, Points). */
export const points: Field = {
  key: "points",
  label: "Points",
  required: true,
  names: [
    "pts",
    "point",
    "amount",
    "points awarded",
    "points to award",
    "points to deduct",
    "award",
    "quantity",
    "Punkte",
    "Punktzahl",
    "puntos",
    "punti",
    "pontos",
    "punten",
    "ポイント",
  ],
  end: true,
  constant: true,
  read: (text, context) => {
    const bounds = { min: limits.pointsMin, max: limits.pointsMax }
    // Awards and deductions have one limit.
    return withinRowLimit("award", readWholeNumber(text, context.style, bounds), context)
  },
  empty: "Points are required",
}

/** Why points are given or taken. */
export const reason: Field = {
  key: "reason",
  label: "Reason",
  required: true,
  names: [
    "description",
    "campaign",
    "comment",
    "note",
    "why",
    "reason for award",
    "Grund",
    "Begründung",
    "Beschreibung",
    "motif",
    "raison",
    "motivo",
    "razón",
    "motivazione",
    "reden",
    "理由",
  ],
  constant: true,
  read: readText(limits.reason),
  empty: "A reason is required",
}

/** The file's own mark of an award. */
export const reference: Field = {
  key: "reference",
  label: "Reference",
  required: false,
  names: [
    "ref",
    "external reference",
    "external ref",
    "invoice",
    "invoice number",
    "order number",
    "Referenz",
    "Rechnungsnummer",
    "référence",
    "referencia",
    "riferimento",
  ],
  mono: true,
  read: readExact(limits.reference, "A formula, not a reference"),
  empty: "A reference is required",
}
