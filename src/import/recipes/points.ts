import { award as awardKind } from "../../../contract/kinds/points.ts"
import { limits } from "../../../contract/limits.ts"
import { fieldOf, readExact, readText, readInteger, sameText, withinRowLimit } from "../read-cell.ts"
import { memberOf, namesOneMember, readMember } from "../read-member.ts"
import { formatPoints } from "../../lib/format.ts"
import { duplicates, type Field, outliers, type Recipe, type RowValues, type SheetFacts } from "../recipe.ts"

export const memberId = fieldOf("redeem", "member_id", {
  names: `id, member, member no, member number, membership id, participant id, user id, external id, Mitglied,
    Mitgliedsnummer, Mitglieds-ID, id membre, membre, miembro, id de miembro, id socio, 会員ID`,
  type: "id",
  read: readMember("member_id"),
})

export const memberEmail = fieldOf("member-create", "email", {
  names: `e-mail, mail, email address, e-mail address, member email, correo, courriel, adresse e-mail,
    E-Mail-Adresse, posta elettronica, メール`,
  read: readMember("email"),
})

type PointsKind = "award" | "deduct"

/** Points: an integer from 1 (docs/api/program.md, Points). Awards and deductions have the same limit. */
const pointsOf = (kind: PointsKind, negative?: string) =>
  fieldOf("award", "points", {
    required: "Points are required",
    names: `pts, point, amount, points awarded, points to award, points to deduct, award, quantity, Punkte, Punktzahl,
    puntos, punti, pontos, punten, ポイント`,
    type: "number",
    constant: true,
    read: (text, context) => {
      const bounds = { min: limits.pointsMin, ...(negative && { negative }) }
      const points = (max: number = limits.pointsMax) => readInteger(text, context.style, { ...bounds, max })
      return withinRowLimit(kind, points, context)
    },
  })

const reason = fieldOf("award", "reason", {
  required: "A reason is required",
  names: `description, campaign, comment, note, why, reason for award, Grund, Begründung, Beschreibung, motif, raison,
    motivo, razón, motivazione, reden, 理由`,
  constant: true,
  text: "free",
  read: readText(limits.reason),
})

const reference = fieldOf("award", "reference", {
  names: `ref, external reference, external ref, invoice, invoice number, order number, Referenz, Rechnungsnummer,
    référence, referencia, riferimento`,
  type: "id",
  read: readExact("a reference", Infinity),
})

/** A row is sent with its member's id or e-mail, never both (contract/kinds/points.ts). */
const named = "A member id or an e-mail is required"
export const theMember = {
  keys: ["member_id", "email"],
  label: awardKind.fields.member_id,
  empty: named,
  compared: true,
} as const

/** A recipe for rows that move points. Rows with the same member, points and texts are likely duplicates. */
function pointsRecipe(name: PointsKind, texts: readonly Field[], negative?: string): Recipe {
  const normal = (values: RowValues, facts?: SheetFacts) =>
    JSON.stringify([
      memberOf(values, facts),
      values["points"],
      ...texts.map(({ key }) => sameText(values[key])),
    ])
  return {
    name,
    fields: [memberId, memberEmail, pointsOf(name, negative), ...texts],
    oneOf: theMember,
    who: memberOf,
    amount: "points",
    rules: [namesOneMember, duplicates(normal, theMember.keys, "check"), outliers("points", formatPoints)],
    normal: (values) => normal(values),
  }
}

/** Awards of points (contract/kinds/points.ts). */
export const award: Recipe = {
  ...pointsRecipe(
    "award",
    [reason, reference],
    "Below 0 it’s no award: leave this row out and deduct the points",
  ),
  metadata: true,
}

/** Deductions of points, without a minus sign (contract/kinds/points.ts). */
const deduct: Recipe = pointsRecipe("deduct", [reason])

/** Redemptions (docs/api/program.md, Rewards). They are not imported; only failed rows of a job are edited. */
const redeem: Recipe = {
  name: "redeem",
  fields: [
    { ...memberId, required: named, read: readExact("a member id") },
    fieldOf("redeem", "reward_id", {
      required: "A reward id is required",
      names: "",
      type: "id",
      read: readExact("a reward id"),
    }),
    fieldOf("redeem", "quantity", {
      names: "",
      type: "number",
      read: (text, { style }) => {
        const { min, askAbove } = limits.quantity
        const reading = readInteger(text, style, { min, max: Number.MAX_SAFE_INTEGER })
        if ("problem" in reading || Number(reading.value) <= askAbove) return reading
        return { ...reading, check: `Redeem ${formatPoints(Number(reading.value))} pieces?` }
      },
    }),
  ],
  rules: [],
  checksConfirmed: true,
  who: memberOf,
  normal: (values) => JSON.stringify(values),
}

/** Merges of members. They are not imported; only failed rows of a job are edited. */
const memberMerge: Recipe = {
  name: "member-merge",
  fields: [
    { ...memberId, required: named, read: readExact("a member id") },
    fieldOf("member-merge", "into", {
      required: "The other member’s id is required",
      names: "",
      type: "id",
      read: readExact("a member id"),
    }),
    fieldOf("member-merge", "points", {
      required: "The points are required",
      names: "",
      type: "number",
      read: (text, { style }) => readInteger(text, style, { min: 0, max: limits.pointsMax }),
    }),
  ],
  rules: [],
  who: memberOf,
  normal: (values) => JSON.stringify(values),
}

export const pointsRecipes = { award, deduct, redeem, "member-merge": memberMerge }
