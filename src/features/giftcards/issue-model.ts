import type { RegisteredCard } from "../../../contract/cards.ts"
import { giftcardRow, type GiftcardRow } from "../../../contract/kinds/giftcard.ts"
import { limits } from "../../../contract/limits.ts"
import type { Member } from "../../../contract/program/member.ts"
import { centsOf, formatMoney, readDollars } from "../../lib/format.ts"
import * as z from "zod/mini"

/** Values of the form's fields, named as documented; `denomination` is dollars as typed. */
export const issueValues = z.object({
  email: z.string(),
  firstname: z.string(),
  lastname: z.string(),
  accountKey: z.string(),
  mobile: z.string(),
  cardId: z.string(),
  denomination: z.string(),
  expiryDays: z.string(),
  externalRef: z.string(),
  unsubscribeUrl: z.string(),
  /** The pair of template and amount that was refused before and is confirmed. */
  confirmed: z.string(),
})
export type IssueValues = z.output<typeof issueValues>

export function pairKey(cardId: string, dollars: number): string {
  return `${cardId} ${dollars}`
}

/** Initial values, for a member or without one. */
export function emptyValues(member: Member | undefined, cardId: string, reference: string): IssueValues {
  return {
    email: member?.email ?? "",
    firstname: member?.first_name ?? "",
    lastname: member?.last_name ?? "",
    accountKey: "",
    mobile: "",
    cardId,
    denomination: "",
    expiryDays: String(limits.cardExpiryDays.default),
    externalRef: reference,
    unsubscribeUrl: "",
    confirmed: "",
  }
}

/** Recipient, template and amount of a card to issue again, as far as known. */
export function valuesLike({ member, template, amount_cents: cents }: RegisteredCard): Partial<IssueValues> {
  return {
    ...(member.email !== null && { email: member.email }),
    ...(template !== null && { cardId: template }),
    ...(cents !== null && { denomination: String(cents / 100) }),
  }
}

/** An integer number of days; NaN for any other text. */
export function readDays(text: string): number {
  const days = text.trim().replace(/\s*days?$/i, "")
  return /^\d{1,4}$/.test(days) ? Number(days) : Number.NaN
}

const { min, max } = limits.cardExpiryDays

/**
 * The form's schema, based on the row's. `refusalOf` returns why a card of this value (cents) must not be issued, if
 * so.
 */
export const issueSchema = (
  refusalOf: (cents: number) => string | undefined,
): z.ZodMiniType<GiftcardRow, IssueValues> =>
  z.pipe(
    issueValues.check((ctx) => {
      const { value } = ctx
      const placed = new Set<string>()
      const problem = (field: string, message: string) => {
        if (placed.has(field)) return
        placed.add(field)
        ctx.issues.push({ code: "custom", path: [field], message, input: value })
      }
      if (Number.isNaN(readDollars(value.denomination))) {
        problem("denomination", "Choose an amount, or type one such as 75.00.")
      }
      if (Number.isNaN(readDays(value.expiryDays))) problem("expiryDays", `From ${min} to ${max} whole days.`)
      for (const { path, message } of giftcardRow.safeParse(toRow(value)).error?.issues ?? []) {
        problem(String(path.at(-1) ?? "email"), message)
      }
      const refusal = refusalOf(centsOf(readDollars(value.denomination)))
      if (refusal !== undefined) problem("denomination", refusal)
    }),
    z.transform((value) => giftcardRow.parse(toRow(value))),
  )

function toRow(value: IssueValues): unknown {
  const { email, firstname, lastname, accountKey, mobile, cardId, externalRef, unsubscribeUrl } = value
  const denomination = readDollars(value.denomination)
  return {
    member: {
      email: email.trim(),
      firstname: firstname.trim(),
      lastname: lastname.trim(),
      ...filled({ accountKey, mobile }),
    },
    denomination,
    expiryDays: readDays(value.expiryDays),
    ...filled({ cardId, externalRef, unsubscribeUrl }),
    ...(value.confirmed === pairKey(cardId, denomination) && { confirm_pair: true }),
  }
}

function filled(texts: Readonly<Record<string, string>>) {
  const trimmed = Object.entries(texts).map(([field, text]) => [field, text.trim()] as const)
  return Object.fromEntries(trimmed.filter(([, text]) => text !== ""))
}

/** Form values of a sent row, for correction. */
export function toFormValues({ member, denomination, expiryDays, ...row }: GiftcardRow): IssueValues {
  const { cardId = "", externalRef = "", unsubscribeUrl = "" } = row
  return {
    ...member,
    accountKey: member.accountKey ?? "",
    mobile: member.mobile ?? "",
    cardId,
    denomination: String(denomination),
    expiryDays: String(expiryDays ?? limits.cardExpiryDays.default),
    externalRef,
    unsubscribeUrl,
    confirmed: row.confirm_pair === true ? pairKey(cardId, denomination) : "",
  }
}

/** Button labels: "Issue a $50.00 card to Ana Silva"; NaN while no amount is chosen. */
export function effectLabels(dollars: number, recipient: string, currency: string) {
  const amount = Number.isNaN(dollars) ? "" : `${formatMoney(centsOf(dollars), currency)} `
  const article = /^\D*8|^\D*1[18](?:\D|$)/.test(amount) ? "an" : "a"
  const to = recipient === "" ? "" : ` to ${recipient}`
  return { action: `Issue ${article} ${amount}card${to}`, running: `Issuing ${article} ${amount}card${to}` }
}
