import { limits } from "../limits.ts"
import type { Role } from "../roles.ts"

/** What screens, files, redaction and the sandbox need to know about a documented field of a member. */
interface MemberField {
  readonly label: string
  /** Roles that see it besides administrators and managers. */
  readonly seenBy: readonly Exclude<Role, "admin" | "manager">[]
}

/** An optional text that is written in forms and files, and has a column of the list. */
interface MemberDetail extends MemberField {
  /** Maximum length in characters. */
  readonly max: number
  /** Every character counts, as in a phone number; otherwise plain text. */
  readonly exact: boolean
  readonly inputType: "text" | "tel"
  /** Further names of its column in a file, besides field name and label. */
  readonly importNames: string
  /** A file without its column may have one value for all rows. */
  readonly constant?: true
  /** Column of the list: `size` in px, `priority` is the order in which columns are left out. */
  readonly column: { readonly size?: number; readonly priority?: number; readonly hidden?: boolean }
}

const viewers: MemberField["seenBy"] = ["viewer"]
const everyone: MemberField["seenBy"] = ["fulfilment", "viewer"]

/** A further text field of a member needs an entry here and values in `sandbox/seed`; all else reads it from here. */
const details = {
  company: {
    label: "Company",
    seenBy: viewers,
    max: limits.shortText,
    exact: false,
    inputType: "text",
    importNames: `company name, organisation, organization, business, employer, account, Firma, Unternehmen, société,
      entreprise, empresa, azienda, 会社`,
    constant: true,
    column: { priority: 1 },
  },
  phone: {
    label: "Phone",
    seenBy: [],
    max: limits.phone,
    exact: true,
    inputType: "tel",
    importNames: `phone number, mobile, mobile number, telephone, tel, cell, Telefon, Handy, téléphone, teléfono,
      telefono, 電話`,
    column: { size: 144, hidden: true },
  },
} satisfies Readonly<Record<string, MemberDetail>>
export type MemberDetailName = keyof typeof details
export const memberDetails: Readonly<Record<MemberDetailName, MemberDetail>> = details
export const memberDetailNames = keysOf(details)

const fields = {
  id: { label: "Member id", seenBy: everyone },
  email: { label: "E-mail", seenBy: viewers },
  first_name: { label: "First name", seenBy: everyone },
  last_name: { label: "Last name", seenBy: everyone },
  ...details,
  points_balance: { label: "Points", seenBy: viewers },
  tier: { label: "Tier", seenBy: viewers },
  status: { label: "Status", seenBy: viewers },
  metadata: { label: "Custom fields", seenBy: [] },
  created_at: { label: "Created", seenBy: viewers },
  updated_at: { label: "Updated", seenBy: viewers },
} satisfies Readonly<Record<string, MemberField>>
export type MemberFieldName = keyof typeof fields
/** The documented fields of a member in order (docs/api/program.md, Member). */
export const memberFields: Readonly<Record<MemberFieldName, MemberField>> = fields
export const memberFieldNames = keysOf(fields)

/** The fields of a member that `role` sees. */
export function memberFieldsSeenBy(role: "fulfilment" | "viewer"): readonly MemberFieldName[] {
  return memberFieldNames.filter((name) => memberFields[name].seenBy.some((each) => each === role))
}

/** An object with a value for each of the names. */
export function forNames<Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value>
export function forNames<Value>(names: readonly string[], valueOf: (name: string) => Value) {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]))
}

function keysOf<Name extends string>(fields: Readonly<Record<Name, unknown>>): Name[]
function keysOf(fields: object): string[] {
  return Object.keys(fields)
}
