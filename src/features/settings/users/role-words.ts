import type { Grant, Role } from "../../../../contract/roles.ts"

/** What a role is for, in one line. The table of roles says the rest. */
export const roleSentences: Readonly<Record<Role, string>> = {
  admin: "Full access, including users, keys and settings.",
  manager: "Runs the program: members, points, rewards, orders and cards.",
  fulfilment: "Ships orders. Sees order names and addresses, no other personal data.",
  viewer: "Views members, ledgers and lists. Can’t change anything.",
}

/** How far a permission reaches, short enough for a cell of the table. */
export const grantWords: Readonly<Record<Grant, string>> = {
  yes: "Yes",
  reasoned: "With a reason",
  program: "Own, program",
  "own-orders": "Own, orders",
  own: "Own",
  redacted: "Partly",
  no: "No",
}

/** What the short words mean, for whoever has not met them. */
export const grantNotes: readonly (readonly [word: string, meaning: string])[] = [
  ["Own", "what the person did"],
  ["Program", "what concerns the program, not users"],
  ["Orders", "order updates of others"],
  ["With a reason", "others’ work only with a reason, saved in the audit log"],
  ["Partly", "without the personal data the role does not see"],
]
