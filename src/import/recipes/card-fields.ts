import { findTemplate } from "../../../contract/cards.ts"
import { issueCardBody } from "../../../contract/giftcard/card.ts"
import { limits } from "../../../contract/limits.ts"
import { readDollars } from "../check/dollars.ts"
import { textProblem } from "../check/text-problems.ts"
import { readWholeNumber } from "../check/whole-number.ts"
import { readExact, withinRowLimit } from "./fields.ts"
import type { Field, Reading, ReadingContext } from "./recipe.ts"

/** The amount of a card, in dollars (docs/api/giftcard.md, Issue request). */
export const denomination: Field = {
  key: "denomination",
  label: "Amount",
  required: true,
  names: [
    "amount",
    "value",
    "face value",
    "card value",
    "card amount",
    "gift card amount",
    "dollars",
    "aud",
    "Betrag",
    "Wert",
    "montant",
    "valeur",
    "importe",
    "valor",
    "importo",
    "bedrag",
    "金額",
  ],
  end: true,
  constant: true,
  read: (text, context) => withinRowLimit("giftcard", readDollars(text, context.style), context),
  empty: "An amount is required",
}

const readCardId = readExact(limits.cardReference, "A formula, not a template")

/** Reads a template by its id or its name, and gives the id. What nobody entered may still exist at the service. */
function readTemplate(text: string, context: ReadingContext): Reading {
  const reading = readCardId(text, context)
  const { cards } = context
  if ("problem" in reading || cards === undefined || cards.settings.templates.length === 0) return reading
  const match = findTemplate(cards.settings, text)
  if (match.kind === "entered") return { value: match.template.id }
  const { kind, message, nearest } = match
  const fix =
    nearest === undefined
      ? {}
      : { fix: { text: kind === "several" ? nearest.id : nearest.name, label: `Use ${nearest.name}` } }
  return kind === "possible" ? { ...reading, ...fix, check: message } : { ...fix, problem: message }
}

/** Id of the card template. A row without one takes what the page has chosen for all rows, or the default. */
export const cardId: Field = {
  key: "cardId",
  label: "Card template",
  required: false,
  names: ["card", "template", "card template", "template id", "gift card", "card type", "product", "Karte"],
  mono: true,
  read: readTemplate,
  empty: "A template is required",
}

/** A person's own reference of a card. */
export const externalRef: Field = {
  key: "externalRef",
  label: "Reference",
  required: false,
  names: [
    "ref",
    "reference",
    "external reference",
    "external ref",
    "invoice",
    "invoice number",
    "claim",
    "claim number",
    "Referenz",
    "référence",
    "referencia",
    "riferimento",
  ],
  mono: true,
  read: readExact(limits.cardReference, "A formula, not a reference"),
  empty: "A reference is required",
}

/** Days until a card expires; a row without them takes the service's 90. */
export function expiryDays(days: { readonly min: number; readonly max: number }): Field {
  return {
    key: "expiryDays",
    label: "Valid for days",
    required: false,
    names: ["expiry", "expiry days", "days", "valid days", "validity", "expires in", "expires in days"],
    end: true,
    constant: true,
    read: (text, { style }) => readWholeNumber(text.replace(/\s*days?$/i, ""), style, days),
    empty: "A number of days is required",
  }
}

/** The recipient's account in the caller's own system; the service tries it before the e-mail. */
export const accountKey: Field = {
  key: "accountKey",
  label: "Account key",
  required: false,
  names: [
    "account",
    "account id",
    "account key",
    "account no",
    "account number",
    "customer",
    "customer id",
    "customer number",
    "crm id",
    "Kundennummer",
    "numéro de client",
  ],
  mono: true,
  read: readExact(limits.shortText, "A formula, not an account key"),
  empty: "An account key is required",
}

/** Where the recipient takes their e-mail address out of such messages. */
export const unsubscribeUrl: Field = {
  key: "unsubscribeUrl",
  label: "Unsubscribe link",
  required: false,
  names: ["unsubscribe", "unsubscribe url", "unsubscribe link", "opt out", "opt-out link"],
  constant: true,
  read: (text) => {
    const problem = textProblem(text)
    if (problem !== null) return { problem }
    return issueCardBody.shape.unsubscribeUrl.safeParse(text).success
      ? { value: text }
      : { problem: "Not an address beginning with https://" }
  },
  empty: "An address is required",
}
