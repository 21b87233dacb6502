import { limits } from "../../../contract/limits.ts"
import { jobKindDescriptors } from "../../../contract/job-kinds.ts"
import { readEmail, readExact, readText, sameText } from "../read-cell.ts"
import { withMetadata, type Field, type Recipe, type RowValues } from "../recipe.ts"
import { duplicates } from "../rules.ts"
import { memberEmail } from "./points.ts"

const { fields } = jobKindDescriptors["member-create"]

/** The e-mail address of somebody new. */
export const newEmail: Field = {
  ...memberEmail,
  required: true,
  read: readEmail,
  empty: "An e-mail is required",
}

/** The first name of somebody new. */
export const firstName: Field = {
  key: "first_name",
  label: fields.first_name,
  required: true,
  names: "first, given name, forename, name first, Vorname, prénom, nombre, nome, voornaam, 名",
  read: readText(limits.shortText),
  empty: "A first name is required",
}

/** The last name of somebody new. */
export const lastName: Field = {
  key: "last_name",
  label: fields.last_name,
  required: true,
  names: `last, surname, family name, name last, Nachname, nom, nom de famille, apellido, apellidos, cognome,
    achternaam, 姓`,
  read: readText(limits.shortText),
  empty: "A last name is required",
}

const company: Field = {
  key: "company",
  label: fields.company,
  required: false,
  names: `company name, organisation, organization, business, employer, account, Firma, Unternehmen, société,
    entreprise, empresa, azienda, 会社`,
  constant: true,
  read: readText(limits.shortText),
  empty: "A company is required",
}

/** A phone number, in which every character counts. */
export const phone: Field = {
  key: "phone",
  label: fields.phone,
  required: false,
  names: `phone number, mobile, mobile number, telephone, tel, cell, Telefon, Handy, téléphone, teléfono, telefono,
    電話`,
  read: readExact(limits.phone, "A formula, not a phone number"),
  empty: "A phone number is required",
}

/** There is one member per e-mail address. */
function who(values: RowValues): string {
  return String(values["email"]).toLowerCase()
}

/** New members (contract/job-rows.ts, `memberCreateRow`). An e-mail that stands twice cannot be created twice. */
export const memberCreate: Recipe = {
  name: "member-create",
  fields: [newEmail, firstName, lastName, company, phone],
  metadata: true,
  rules: [duplicates(who, ["email"], "problem")],
  who,
  build: withMetadata,
  normal: (values) =>
    JSON.stringify([
      who(values),
      ...[firstName, lastName, company, phone].map(({ key }) => sameText(values[key])),
    ]),
}
