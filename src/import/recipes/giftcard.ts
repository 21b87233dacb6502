import { limits } from "../../../contract/limits.ts"
import { cardAmounts } from "../check/card-amounts.ts"
import { cardReferences } from "../check/card-references.ts"
import { duplicates } from "../check/duplicates.ts"
import { outliers } from "../check/outliers.ts"
import { accountKey, cardId, denomination, expiryDays, externalRef, unsubscribeUrl } from "./card-fields.ts"
import { newEmail } from "./fields.ts"
import { firstName, lastName, phone } from "./member-create.ts"
import { sameText } from "./member-of-row.ts"
import type { Field, Recipe, RowValues } from "./recipe.ts"

/** Phones of a card's recipient go to the service as its document names them (docs/api/giftcard.md, Issue request). */
const mobile: Field = {
  ...phone,
  key: "mobile",
  label: "Mobile",
  names: ["phone", ...phone.names],
  empty: "A mobile number is required",
}

const given: Field = {
  ...firstName,
  key: "firstname",
  names: ["first name", "member.firstname", ...firstName.names],
}
const family: Field = {
  ...lastName,
  key: "lastname",
  names: ["last name", "member.lastname", ...lastName.names],
}

/** The service matches the account key first, then the e-mail; a file has an e-mail in any case. */
function which(values: RowValues): string {
  return String(values["email"] ?? "").toLowerCase()
}

/** One card: two rows with the same one are likely one card written twice. */
function normal(values: RowValues): string {
  return JSON.stringify([
    which(values),
    sameText(values["accountKey"]),
    values["denomination"],
    values["cardId"] ?? null,
    sameText(values["externalRef"]),
  ])
}

/** Gift cards (contract/desk/job-rows-giftcard.ts, `giftcardRow`). */
export const giftcard: Recipe = {
  name: "giftcard",
  fields: [
    newEmail,
    given,
    family,
    denomination,
    cardId,
    externalRef,
    expiryDays(limits.cardExpiryDays),
    accountKey,
    mobile,
    unsubscribeUrl,
  ],
  rules: [
    duplicates({ same: normal, fields: ["email"], severity: "check" }),
    cardReferences,
    outliers("denomination"),
    cardAmounts,
  ],
  who: which,
  amount: "denomination",
  build: ({ email, firstname, lastname, accountKey: key, mobile: number, ...card }) => ({
    member: {
      email,
      firstname,
      lastname,
      ...(key !== undefined && { accountKey: key }),
      ...(number !== undefined && { mobile: number }),
    },
    ...card,
  }),
  normal,
}
