import { Radio } from "@mantine/core"
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
import { ApiError, explain } from "../../lib/errors.ts"
import { type FieldProps } from "../../forms/fields.tsx"
import { FieldError } from "../../ui/field-parts.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { Notice } from "../../ui/notice.tsx"
import classes from "./settings.module.css"

/** What a role is for, in one line. The table of roles says the rest. */
const roleSentences: Readonly<Record<Role, string>> = {
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

/** Why something cannot be done to a user; undefined where it can. The server decides again. */
interface Hindrances {
  readonly disable: string | undefined
  readonly demote: string | undefined
}

/**
 * Nobody locks the desk: not oneself out of it, and not everybody out of its settings.
 * @param me id of the person who is signed in
 * @param users everybody who may sign in
 */
export function hindrances(user: AppUser, me: string, users: readonly AppUser[]): Hindrances {
  if (user.id === me) {
    return {
      disable: "You can’t disable yourself. Ask another administrator.",
      demote: "You can’t change your own role. Ask another administrator.",
    }
  }
  const isLast = isActiveAdmin(user) && users.filter(isActiveAdmin).length <= 1
  const last = "This is the last administrator. Make someone else an administrator first."
  return isLast ? { disable: last, demote: last } : { disable: undefined, demote: undefined }
}

/** One who can sign in: with a link that nobody used, the desk would have no administrator all the same. */
function isActiveAdmin({ role, disabled, has_password }: AppUser): boolean {
  return role === "admin" && !disabled && has_password
}

/** From nothing to everything. A step up is a gain, a step down a loss. */
const reach: readonly Grant[] = ["no", "redacted", "own", "own-orders", "program", "reasoned", "yes"]

/** What a change of role gives and takes, each as a person reads it. */
interface RoleChange {
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

/** One of the roles, each with what it is for. */
export function RoleField<I extends FieldValues, O>(props: FieldProps<I, O, Role>) {
  const { control, name, label, help, disabled = false } = props
  const { field, fieldState } = useController({ control, name })
  const message = fieldState.error?.message
  const { ref, ...rest } = field
  return (
    <Radio.Group
      {...rest}
      ref={ref}
      label={label}
      description={help}
      error={message === undefined ? undefined : <FieldError message={message} />}
    >
      <div className={classes.options}>
        {roles.map((role) => (
          <Radio
            key={role}
            value={role}
            label={roleNames[role]}
            description={roleSentences[role]}
            disabled={disabled}
            classNames={{
              root: classes.option,
              inner: classes.roleMark,
              body: classes.body,
              labelWrapper: classes.roleText,
              label: classes.label,
            }}
          />
        ))}
      </div>
    </Radio.Group>
  )
}

interface RoleChangeNoteProps {
  name: string
  from: Role
  to: Role
}

/** What a change of role gives and takes, before it is saved. */
export function RoleChangeNote({ name, from, to }: RoleChangeNoteProps) {
  if (from === to) return null
  const { gains, loses } = roleChange(from, to)
  return (
    <Notice
      tone="info"
      title={`${name} goes from ${roleNames[from].toLowerCase()} to ${roleNames[to].toLowerCase()}`}
    >
      <Part words="Gains" items={gains} />
      <Part words="Loses" items={loses} />
    </Notice>
  )
}

function Part({ words, items }: { words: string; items: readonly string[] }) {
  if (items.length === 0) return null
  return (
    <div className={classes.part}>
      <p className={classes.roleNoteHeader}>{words}</p>
      <ul aria-label={words}>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  )
}

/** What a change to the desk's own users costs the team's request budget. */
export const noRequests = "No service requests"

interface RefusalProps {
  error: Error | null
  /** What was not done. */
  what: string
}

/** The error of a question about a user: the server's own word where it refused by a rule, in the same place. */
export function Refusal({ error, what }: RefusalProps) {
  if (error === null) return null
  const problems = error instanceof ApiError ? (error.details?.fields ?? []) : []
  if (problems.length === 0) return <ErrorNotice error={error} what={what} />
  return (
    <Notice tone="danger" title={what} detail={explain(error).detail}>
      {problems.map(({ message }) => message).join(" ")}
    </Notice>
  )
}
