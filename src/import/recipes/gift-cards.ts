import { findTemplate, nearestAmount, refusalOfPair } from "../../../contract/cards.ts"
import { issueCardBody } from "../../../contract/giftcard/card.ts"
import { limits } from "../../../contract/limits.ts"
import { centsOf, formatCount, formatMoney } from "../../lib/format.ts"
import {
  fieldOf,
  readDollars,
  readExact,
  readInteger,
  sameText,
  textProblem,
  withinRowLimit,
} from "../read-cell.ts"
import {
  duplicates,
  type Field,
  type Finding,
  outliers,
  type Reading,
  type ReadingContext,
  type Recipe,
  type RowValues,
  type Rule,
} from "../recipe.ts"
import { firstName, lastName, newEmail, phone } from "./members.ts"

const readCardId = readExact("a template", limits.cardReference)

/** Reads a template by id or name and returns the id. One that was not entered here may still exist at the service. */
function readTemplate(text: string, context: ReadingContext): Reading {
  const reading = readCardId(text, context)
  const { cards } = context
  if ("problem" in reading || cards === undefined || cards.settings.templates.length === 0) return reading
  const match = findTemplate(cards.settings, text)
  if (match.kind === "entered") return { value: match.template.id }
  const { kind, message, nearest } = match
  const fix = nearest && {
    fix: { text: kind === "several" ? nearest.id : nearest.name, label: `Use ${nearest.name}` },
  }
  return kind === "possible" ? { ...reading, ...fix, check: message } : { ...fix, problem: message }
}

/** The recipient, the card and the service's other fields under its own names (docs/api/giftcard.md, Issue a card). */
const fields: readonly Field[] = [
  newEmail,
  { ...firstName, key: "firstname", names: `member.firstname, ${firstName.names}` },
  { ...lastName, key: "lastname", names: `member.lastname, ${lastName.names}` },
  fieldOf("giftcard", "denomination", {
    required: "An amount is required",
    names: `amount, value, face value, card value, card amount, gift card amount, dollars, aud, Betrag, Wert, montant,
      valeur, importe, valor, importo, bedrag, 金額`,
    type: "number",
    constant: true,
    read: (text, context) =>
      withinRowLimit("giftcard", (max) => readDollars(text, context.style, max), context),
  }),
  // Defaults to the template chosen on the page for all rows, or the default one.
  fieldOf("giftcard", "cardId", {
    names: "card, template, card template, template id, gift card, card type, product, Karte",
    type: "id",
    read: readTemplate,
  }),
  fieldOf("giftcard", "externalRef", {
    names: `ref, reference, external reference, external ref, invoice, invoice number, claim, claim number, Referenz,
      référence, referencia, riferimento`,
    type: "id",
    read: readExact("a reference", limits.cardReference),
  }),
  {
    // Defaults to the service's 90.
    key: "expiryDays",
    label: "Valid for days",
    names: "expiry, expiry days, days, valid days, validity, expires in, expires in days",
    type: "number",
    constant: true,
    read: (text, { style }) => readInteger(text.replace(/\s*days?$/i, ""), style, limits.cardExpiryDays),
  },
  // The recipient's account in the caller's system; the service matches it before the e-mail.
  fieldOf("giftcard", "accountKey", {
    names: `account, account id, account key, account no, account number, customer, customer id, customer number,
      crm id, Kundennummer, numéro de client`,
    type: "id",
    read: readExact("an account key"),
  }),
  { ...phone, key: "mobile", label: "Mobile", names: `phone, ${phone.names}` },
  {
    // Where the recipient unsubscribes from such messages.
    key: "unsubscribeUrl",
    label: "Unsubscribe link",
    names: "unsubscribe, unsubscribe url, unsubscribe link, opt out, opt-out link",
    constant: true,
    read: (text) => {
      const problem = textProblem(text)
      if (problem !== null) return { problem }
      return issueCardBody.shape.unsubscribeUrl.safeParse(text).success
        ? { value: text }
        : { problem: "Not an address beginning with https://" }
    },
  },
]

function moneyText(dollars: number, currency = "AUD"): string {
  return formatMoney(centsOf(dollars), currency).replace(/\.00$/, "")
}

/** Amounts that a template does not have, as far as they were entered; refused pairs can be confirmed. */
const availableAmounts: Rule = (rows, { cards, style }) => {
  if (cards === undefined) return []
  const { settings, pairs, currency } = cards
  const templates = new Map(settings.templates.map((template) => [template.id, template]))
  const money = (dollars: number) => moneyText(dollars, currency)
  return rows.flatMap(({ values }, at): Finding[] => {
    const id = String(values["cardId"] ?? settings.default ?? "")
    const template = templates.get(id)
    const amount = Number(values["denomination"])
    const refused = refusalOfPair(pairs, id, amount) !== undefined
    const isUnknown = template === undefined || template.denominations.length === 0
    if (!refused && (isUnknown || template.denominations.includes(amount))) return []
    const nearest = template === undefined ? undefined : nearestAmount(template, pairs, amount)
    const text = `${money(amount)} ${refused ? "was refused" : "isn’t available"} for ${template?.name ?? id}`
    const severity = refused ? "check" : "problem"
    const found = { at, field: "denomination", severity, code: "check" } as const
    if (nearest === undefined) return [{ ...found, text }]
    const fix = { text: String(nearest).replace(".", style), label: `Use ${money(nearest)}` }
    return [{ ...found, text: `${text}. Nearest: ${money(nearest)}`, fix }]
  })
}

const keyOf = (template: string, reference: string) => JSON.stringify([template, reference])

/** The server refuses a reference that is in use, or that an earlier row uses for the same template. */
const unusedReferences: Rule = (rows, { cards }) => {
  const taken = new Map(
    (cards?.used ?? []).map(({ template, reference, by }) => [
      keyOf(template, reference),
      `Already used by ${by}`,
    ]),
  )
  return rows.flatMap(({ values, number }, at): Finding[] => {
    const reference = values["externalRef"]
    if (reference === undefined) return []
    const key = keyOf(String(values["cardId"] ?? cards?.settings.default ?? ""), String(reference))
    const text = taken.get(key)
    if (text !== undefined) return [{ at, field: "externalRef", severity: "problem", code: "check", text }]
    taken.set(key, `Same reference as row ${formatCount(number)}`)
    return []
  })
}

/** The service matches the account key first, then the e-mail; every row has an e-mail. */
const who = (values: RowValues) => String(values["email"] ?? "").toLowerCase()

/** Equal for rows that are likely the same card. */
function normal(values: RowValues): string {
  const { accountKey, denomination, cardId = null, externalRef } = values
  return JSON.stringify([who(values), sameText(accountKey), denomination, cardId, sameText(externalRef)])
}

/** Gift cards (contract/kinds/giftcard.ts). */
const giftcard: Recipe = {
  name: "giftcard",
  fields,
  rules: [
    duplicates(normal, ["email"], "check"),
    unusedReferences,
    outliers("denomination", (dollars, { cards }) => moneyText(dollars, cards?.currency)),
    availableAmounts,
  ],
  who,
  amount: "denomination",
  build: ({ email, firstname, lastname, accountKey, mobile, ...card }) => ({
    member: {
      email,
      firstname,
      lastname,
      ...(accountKey !== undefined && { accountKey }),
      ...(mobile !== undefined && { mobile }),
    },
    ...card,
  }),
  normal,
}

export const giftcardRecipes = { giftcard }
