import { Box, Input } from "@mantine/core"
import { type FieldValues, useController } from "react-hook-form"
import {
  type Grant,
  grantOf,
  type Permission,
  permissions,
  type Role,
  roleNames,
  roles,
} from "../../../contract/roles.ts"
import type { AppUser } from "../../../contract/users.ts"
import { type FieldProps } from "../../forms/fields.tsx"
import { FieldError } from "../../ui/field-parts.tsx"
import { Notice } from "../../ui/notice.tsx"
import { RadioOption } from "../../forms/field-groups.tsx"

/** The purpose of a role in one line; the table of roles has the details. */
const roleSentences: Readonly<Record<Role, string>> = {
  admin: "Full access, including users, keys and settings.",
  manager: "Runs the program: members, points, rewards, orders and cards.",
  fulfilment: "Ships orders. Sees order names and addresses, no other personal data.",
  viewer: "Views members, ledgers and lists. Can’t change anything.",
}

/** Short labels of a permission's reach, for table cells. */
export const grantLabels: Readonly<Record<Grant, string>> = {
  yes: "Yes",
  reasoned: "With a reason",
  program: "Own, program",
  "own-orders": "Own, orders",
  own: "Own",
  redacted: "Partly",
  no: "No",
}

/** Explanations of the short labels. */
export const grantNotes: readonly (readonly [word: string, meaning: string])[] = [
  ["Own", "what the person did"],
  ["Program", "what concerns the program, not users"],
  ["Orders", "order updates of others"],
  ["With a reason", "others’ work only with a reason, saved in the audit log"],
  ["Partly", "without the personal data the role does not see"],
]

/** Why a user cannot be disabled or demoted, so that an administrator always remains. */
export function disabledReasons(
  user: AppUser,
  me: string,
  users: readonly AppUser[],
): { disable?: string; demote?: string } {
  if (user.id === me) {
    return {
      disable: "You can’t disable yourself. Ask another administrator.",
      demote: "You can’t change your own role. Ask another administrator.",
    }
  }
  if (!isActiveAdmin(user) || users.filter(isActiveAdmin).length > 1) return {}
  const last = "This is the last administrator. Make someone else an administrator first."
  return { disable: last, demote: last }
}

/** An administrator who can sign in; one with an unused link does not count. */
function isActiveAdmin({ role, disabled, has_password }: AppUser): boolean {
  return role === "admin" && !disabled && has_password
}

/** From nothing to everything. A step up is a gain, a step down a loss. */
const reach: readonly Grant[] = ["no", "redacted", "own", "own-orders", "program", "reasoned", "yes"]

/** Permissions gained and lost by a change of role, in the order of the roles table. */
export function roleChange(from: Role, to: Role) {
  const gains: string[] = []
  const loses: string[] = []
  for (const permission of Object.keys(permissions) as Permission[]) {
    const before = grantOf(from, permission)
    const after = grantOf(to, permission)
    const step = reach.indexOf(after) - reach.indexOf(before)
    if (step > 0) gains.push(grantText(permission, after))
    if (step < 0) loses.push(grantText(permission, after))
  }
  return { gains, loses }
}

function grantText(permission: Permission, after: Grant): string {
  const { label } = permissions[permission]
  if (after === "yes" || after === "no") return label
  return `${label} (then: ${grantLabels[after].toLowerCase()})`
}

/** A choice of roles, each with its purpose. */
export function RoleField<I extends FieldValues, O>(props: FieldProps<I, O, Role>) {
  const { control, name, label, help, disabled = false } = props
  const { field, fieldState } = useController({ control, name })
  const { message } = fieldState.error ?? {}
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      description={help}
      error={message !== undefined && <FieldError message={message} />}
    >
      <div role="radiogroup" aria-label={label}>
        {roles.map((role) => (
          <RadioOption
            joined
            key={role}
            {...field}
            value={role}
            checked={role === field.value}
            disabled={disabled}
            title={roleNames[role]}
          >
            {roleSentences[role]}
          </RadioOption>
        ))}
      </div>
    </Input.Wrapper>
  )
}

/** Permissions gained and lost by a change of role, before it is saved. */
export function RoleChangeNote({ name, from, to }: { name: string; from: Role; to: Role }) {
  if (from === to) return null
  const { gains, loses } = roleChange(from, to)
  return (
    <Notice
      tone="info"
      title={`${name} goes from ${roleNames[from].toLowerCase()} to ${roleNames[to].toLowerCase()}`}
    >
      <RoleChangeList title="Gains" items={gains} />
      <RoleChangeList title="Loses" items={loses} />
    </Notice>
  )
}

function RoleChangeList({ title, items }: { title: string; items: readonly string[] }) {
  if (items.length === 0) return null
  return (
    <Box mt={6}>
      <p className="l-medium">{title}</p>
      <ul aria-label={title} className="l-meta" style={{ columns: 2, columnGap: 16 }}>
        {items.map((item) => (
          <Box component="li" key={item} pb={2} style={{ breakInside: "avoid" }}>
            {item}
          </Box>
        ))}
      </ul>
    </Box>
  )
}
