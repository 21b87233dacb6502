import { grantOf, permissions, type Grant, type Permission, type Role } from "../../../../contract/roles.ts"
import { grantWords } from "./role-words.ts"

/** From nothing to everything. A step up is a gain, a step down a loss. */
const reach: readonly Grant[] = ["no", "redacted", "own", "own-orders", "program", "reasoned", "yes"]

/** What a change of role gives and takes, each as a person reads it. */
export interface RoleChange {
  readonly gains: readonly string[]
  readonly loses: readonly string[]
}

/** Compares two roles permission by permission, in the order of the roles table. */
export function roleChange(from: Role, to: Role): RoleChange {
  const gains: string[] = []
  const loses: string[] = []
  for (const permission of Object.keys(permissions) as Permission[]) {
    const before = grantOf(from, permission)
    const after = grantOf(to, permission)
    const step = reach.indexOf(after) - reach.indexOf(before)
    if (step > 0) gains.push(words(permission, after))
    if (step < 0) loses.push(words(permission, after))
  }
  return { gains, loses }
}

function words(permission: Permission, after: Grant): string {
  const { label } = permissions[permission]
  if (after === "yes" || after === "no") return label
  return `${label} (then: ${grantWords[after].toLowerCase()})`
}
