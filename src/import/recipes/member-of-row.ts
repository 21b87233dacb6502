import type { OneOf, RowValues } from "./recipe.ts"

/** A row names its member by id, else by e-mail, never both (contract/desk/job-rows.ts). */
export const theMember: OneOf = {
  keys: ["member_id", "email"],
  label: "Member id or e-mail",
  empty: "A member id or an e-mail is required",
}

/** The member of a row: an id as it is, an e-mail without regard to case. */
export function whichMember(values: RowValues): string {
  const { member_id: id, email } = values
  return id === undefined ? `email:${String(email ?? "").toLowerCase()}` : `id:${id}`
}

/** A text as it is compared: blanks of any kind and number are one, case does not count. */
export function sameText(value: string | number | undefined): string {
  return String(value ?? "")
    .normalize("NFC")
    .replaceAll(/\s+/g, " ")
    .toLowerCase()
}
