import { limits } from "../../../contract/limits.ts"
import { fieldOf, readEmail, readExact, readText, sameText } from "../read-cell.ts"
import type { Field, Recipe, RowValues } from "../recipe.ts"
import { duplicates } from "../rules.ts"
import { memberEmail } from "./points.ts"

export const newEmail: Field = {
  ...memberEmail,
  required: "An e-mail is required",
  read: (text) => readEmail(text),
}

export const firstName = fieldOf("member-create", "first_name", {
  required: "A first name is required",
  names: "first, given name, forename, name first, Vorname, prénom, nombre, nome, voornaam, 名",
  text: "free",
  read: readText(limits.shortText),
})

export const lastName = fieldOf("member-create", "last_name", {
  required: "A last name is required",
  names: `last, surname, family name, name last, Nachname, nom, nom de famille, apellido, apellidos, cognome,
    achternaam, 姓`,
  text: "free",
  read: readText(limits.shortText),
})

const company = fieldOf("member-create", "company", {
  names: `company name, organisation, organization, business, employer, account, Firma, Unternehmen, société,
    entreprise, empresa, azienda, 会社`,
  constant: true,
  text: "free",
  read: readText(limits.shortText),
})

export const phone = fieldOf("member-create", "phone", {
  names: `phone number, mobile, mobile number, telephone, tel, cell, Telefon, Handy, téléphone, teléfono, telefono,
    電話`,
  read: readExact("a phone number", limits.phone),
})

/** There is one member per e-mail address. */
const who = (values: RowValues) => String(values["email"]).toLowerCase()
const details = [firstName, lastName, company, phone]

/** New members (contract/kinds/member-create.ts). A duplicate e-mail cannot be created. */
const memberCreate: Recipe = {
  name: "member-create",
  fields: [newEmail, ...details],
  metadata: true,
  rules: [duplicates(who, ["email"], "problem")],
  who,
  normal: (values) => JSON.stringify([who(values), ...details.map(({ key }) => sameText(values[key]))]),
}

export const memberRecipes = { "member-create": memberCreate }
