import { limits } from "../../../contract/limits.ts"
import { jobKindDescriptors } from "../../../contract/job-kinds.ts"
import { readExact, readMember, readText, readWholeNumber, sameText, withinRowLimit } from "../read-cell.ts"
import { withMetadata, type Field, type OneOf, type Recipe, type RowValues } from "../recipe.ts"
import { duplicates, outliers } from "../rules.ts"

const { fields } = jobKindDescriptors.award

const memberId: Field = {
  key: "member_id",
  label: jobKindDescriptors.redeem.fields.member_id,
  required: false,
  names: `id, member, member no, member number, membership id, participant id, user id, external id, Mitglied,
    Mitgliedsnummer, Mitglieds-ID, id membre, membre, miembro, id de miembro, id socio, 会員ID`,
  mono: true,
  read: readMember("member_id"),
  empty: "A member id or an e-mail is required",
}

/** The e-mail address, as another way to name a member. */
export const memberEmail: Field = {
  key: "email",
  label: "E-mail",
  required: false,
  names: `e-mail, mail, email address, e-mail address, member email, correo, courriel, adresse e-mail,
    E-Mail-Adresse, posta elettronica, メール`,
  read: readMember("email"),
  empty: "A member id or an e-mail is required",
}

/** A row names its member by id, else by e-mail, never both (contract/job-rows.ts). */
const theMember: OneOf = {
  keys: ["member_id", "email"],
  label: fields.member_id,
  empty: "A member id or an e-mail is required",
}

/** Points, at least 1 and whole (docs/api/program.md, Points). Awards and deductions have one limit. */
const points: Field = {
  key: "points",
  label: fields.points,
  required: true,
  names: `pts, point, amount, points awarded, points to award, points to deduct, award, quantity, Punkte, Punktzahl,
    puntos, punti, pontos, punten, ポイント`,
  end: true,
  constant: true,
  read: (text, context) => {
    const bounds = { min: limits.pointsMin, max: limits.pointsMax }
    return withinRowLimit("award", readWholeNumber(text, context.style, bounds), context)
  },
  empty: "Points are required",
}

const reason: Field = {
  key: "reason",
  label: fields.reason,
  required: true,
  names: `description, campaign, comment, note, why, reason for award, Grund, Begründung, Beschreibung, motif, raison,
    motivo, razón, motivazione, reden, 理由`,
  constant: true,
  read: readText(limits.reason),
  empty: "A reason is required",
}

const reference: Field = {
  key: "reference",
  label: fields.reference,
  required: false,
  names: `ref, external reference, external ref, invoice, invoice number, order number, Referenz, Rechnungsnummer,
    référence, referencia, riferimento`,
  mono: true,
  read: readExact(limits.reference, "A formula, not a reference"),
  empty: "A reference is required",
}

/** The member of a row: an id as it is, an e-mail without regard to case. */
function who({ member_id: id, email }: RowValues): string {
  return id === undefined ? `email:${String(email ?? "").toLowerCase()}` : `id:${id}`
}

/** Two rows with the same text are likely one award or deduction written twice. */
function normal(...texts: readonly string[]): Recipe["normal"] {
  return (values) =>
    JSON.stringify([who(values), values["points"], ...texts.map((key) => sameText(values[key]))])
}

const normalAward = normal("reason", "reference")
const normalDeduction = normal("reason")

/** Redemptions (docs/api/program.md, Redeem): no file of theirs is imported, but the failed rows of a job are edited. */
export const redeem: Recipe = {
  name: "redeem",
  fields: [
    { ...memberId, required: true, read: readExact(limits.shortText, "A formula, not a member id") },
    {
      key: "reward_id",
      label: jobKindDescriptors.redeem.fields.reward_id,
      required: true,
      names: "",
      mono: true,
      read: readExact(limits.shortText, "A formula, not a reward id"),
      empty: "A reward id is required",
    },
    {
      key: "quantity",
      label: jobKindDescriptors.redeem.fields.quantity,
      required: false,
      names: "",
      end: true,
      read: (text, { style }) => readWholeNumber(text, style, limits.quantity),
      empty: "A quantity is required",
    },
  ],
  rules: [],
  who,
  build: (values) => values,
  normal: (values) => JSON.stringify(values),
}

const shared = { oneOf: theMember, who, amount: "points" } as const

/** Awards of points (contract/job-rows.ts, `awardRow`). */
export const award: Recipe = {
  ...shared,
  name: "award",
  fields: [memberId, memberEmail, points, reason, reference],
  metadata: true,
  rules: [duplicates(normalAward, theMember.keys, "check"), outliers("points")],
  build: withMetadata,
  normal: normalAward,
}

/** Deductions of points, written without a minus (contract/job-rows.ts, `deductRow`). */
export const deduct: Recipe = {
  ...shared,
  name: "deduct",
  fields: [memberId, memberEmail, points, reason],
  rules: [duplicates(normalDeduction, theMember.keys, "check"), outliers("points")],
  build: (values) => values,
  normal: normalDeduction,
}
