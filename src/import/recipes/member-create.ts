import { limits } from "../../../contract/limits.ts"
import { duplicates } from "../check/duplicates.ts"
import { newEmail, readExact, readText } from "./fields.ts"
import { withMetadata } from "./metadata.ts"
import { sameText } from "./member-of-row.ts"
import type { Field, Recipe, RowValues } from "./recipe.ts"

/** The first name of somebody new. */
export const firstName: Field = {
  key: "first_name",
  label: "First name",
  required: true,
  names: [
    "first",
    "given name",
    "forename",
    "name first",
    "Vorname",
    "prénom",
    "nombre",
    "nome",
    "voornaam",
    "名",
  ],
  read: readText(limits.shortText),
  empty: "A first name is required",
}

/** The last name of somebody new. */
export const lastName: Field = {
  key: "last_name",
  label: "Last name",
  required: true,
  names: [
    "last",
    "surname",
    "family name",
    "name last",
    "Nachname",
    "nom",
    "nom de famille",
    "apellido",
    "apellidos",
    "cognome",
    "achternaam",
    "姓",
  ],
  read: readText(limits.shortText),
  empty: "A last name is required",
}

const company: Field = {
  key: "company",
  label: "Company",
  required: false,
  names: [
    "company name",
    "organisation",
    "organization",
    "business",
    "employer",
    "account",
    "Firma",
    "Unternehmen",
    "société",
    "entreprise",
    "empresa",
    "azienda",
    "会社",
  ],
  constant: true,
  read: readText(limits.shortText),
  empty: "A company is required",
}

/** A phone number, in which every character counts. */
export const phone: Field = {
  key: "phone",
  label: "Phone",
  required: false,
  names: [
    "phone number",
    "mobile",
    "mobile number",
    "telephone",
    "tel",
    "cell",
    "Telefon",
    "Handy",
    "téléphone",
    "teléfono",
    "telefono",
    "電話",
  ],
  read: readExact(limits.phone, "A formula, not a phone number"),
  empty: "A phone number is required",
}

/** There is one member per e-mail address. */
function which(values: RowValues): string {
  return String(values["email"]).toLowerCase()
}

/** New members (contract/desk/job-rows.ts, `memberCreateRow`). An e-mail that stands twice cannot be created twice. */
export const memberCreate: Recipe = {
  name: "member-create",
  fields: [newEmail, firstName, lastName, company, phone],
  metadata: true,
  rules: [duplicates({ same: which, fields: ["email"], severity: "problem" })],
  who: which,
  build: withMetadata,
  normal: (values) =>
    JSON.stringify([
      which(values),
      ...[firstName, lastName, company, phone].map(({ key }) => sameText(values[key])),
    ]),
}
