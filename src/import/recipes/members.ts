import { memberUpdate as memberUpdateKind } from "../../../contract/kinds/member-update.ts"
import { limits } from "../../../contract/limits.ts"
import {
  type MemberDetailName,
  memberDetailNames,
  memberDetails,
} from "../../../contract/program/member-fields.ts"
import { settableMemberStatuses } from "../../../contract/program/member.ts"
import { fieldOf, readEmail, readExact, readText, sameText } from "../read-cell.ts"
import { duplicates, type Field, type Reading, type Recipe, type Rule, type RowValues } from "../recipe.ts"
import { memberOf, namesOneMember } from "../read-member.ts"
import { memberEmail, memberId, theMember } from "./points.ts"

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

const isClear = (text: string) => text.toLowerCase() === memberUpdateKind.clearWord

/** An empty cell leaves a field as it is, so clearing it takes a word. */
function changed({ required, read, ...field }: Field): Field {
  const clear: Reading = required === undefined ? { value: "" } : { problem: "A name can’t be cleared" }
  return { ...field, read: (text, context) => (isClear(text) ? clear : read(text, context)) }
}

const status = fieldOf("member-update", "status", {
  names: "member status, new status, Mitgliedsstatus, statut, ステータス",
  constant: true,
  read: (text) => {
    const found = settableMemberStatuses.find((each) => each === text.toLowerCase())
    return found === undefined
      ? { problem: `Not a status: ${settableMemberStatuses.join(", ")}` }
      : { value: found }
  },
})

const changeable = [...details.map(changed), status]

/** A row without a value to change cannot be sent. */
const hasChange: Rule = (rows) =>
  rows.flatMap(({ values }, at) => {
    if (changeable.some(({ key }) => values[key] !== undefined)) return []
    const field = theMember.keys.find((key) => values[key] !== undefined) ?? ""
    return [{ at, field, severity: "problem", code: "check", text: "Nothing to change: every cell is empty" }]
  })

const updateRules: readonly Rule[] = [duplicates(memberOf, theMember.keys, "problem"), hasChange]

/** Rows of a job, whose members no page reads. */
const memberUpdateEdit: Recipe = {
  name: "member-update",
  fields: [memberId, memberEmail, ...changeable],
  oneOf: theMember,
  rules: [namesOneMember, ...updateRules],
  who: memberOf,
  normal: (values) =>
    JSON.stringify([memberOf(values), ...changeable.map(({ key }) => sameText(values[key]))]),
}

/**
 * Changes of members (contract/kinds/member-update.ts), each at most once in a file. The page reads every member, and
 * compares a row's id and e-mail with it.
 */
const memberUpdate: Recipe = { ...memberUpdateEdit, edit: memberUpdateEdit, rules: updateRules }

export const memberRecipes = { "member-create": memberCreate, "member-update": memberUpdate }
