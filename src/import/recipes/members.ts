import { limits } from "../../../contract/limits.ts"
import {
  type MemberDetailName,
  memberDetailNames,
  memberDetails,
} from "../../../contract/program/member-fields.ts"
import { fieldOf, readEmail, readExact, readText, sameText } from "../read-cell.ts"
import { duplicates, type Field, type Recipe, type RowValues } from "../recipe.ts"
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

function detailField(name: MemberDetailName): Field {
  const { importNames: names, constant, exact, label, max } = memberDetails[name]
  const read = exact ? readExact(`a ${label.toLowerCase()} number`, max) : readText(max)
  return fieldOf("member-create", name, {
    names,
    read,
    ...(constant && { constant }),
    ...(!exact && { text: "free" }),
  })
}

export const phone = detailField("phone")
const details = [firstName, lastName, ...memberDetailNames.map(detailField)]

/** There is one member per e-mail address. */
const who = (values: RowValues) => String(values["email"]).toLowerCase()

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
