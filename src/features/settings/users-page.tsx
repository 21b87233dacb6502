import { Box, Group, Input, Stack } from "@mantine/core"
import { IconCheck, IconPlus } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link, Outlet } from "@tanstack/react-router"
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
import { useSession } from "../../api/session.ts"
import { usersQuery } from "../../api/users.ts"
import { type FieldProps, RadioOption } from "../../forms/fields.tsx"
import links from "../../lists/list-table.module.css"
import { LinkButton } from "../../ui/button.tsx"
import { type DataColumn, DataTable } from "../../ui/data-table.tsx"
import { FieldError } from "../../ui/field-parts.tsx"
import { Notice } from "../../ui/notice.tsx"
import { Section } from "../../ui/page-header.tsx"
import { QueryState } from "../../ui/query-state.tsx"
import { StatusLabel, type StatusText } from "../../ui/status.tsx"
import { Avatar, RelativeTime, Truncate } from "../../ui/values.tsx"
import classes from "./settings.module.css"

/** All users with their roles; drawers open above. */
export function UsersPage() {
  return (
    <>
      <Users />
      <Section title="What each role may do">
        <RolesMatrix />
      </Section>
      <Outlet />
    </>
  )
}

function Users() {
  const users = useQuery(usersQuery)
  const me = useSession().user.id
  return (
    <Section
      title="Users"
      aside={users.data?.length}
      end={
        <LinkButton
          variant="filled"
          leftSection={<IconPlus size={16} stroke={2} aria-hidden />}
          to="/settings/users/new"
          resetScroll={false}
        >
          New user
        </LinkButton>
      }
    >
      <QueryState query={users} noun="users" rows={5} columns={[180, 220, 90, 120]}>
        {(read) => (
          <div className={classes.users}>
            <DataTable
              label="Users"
              columns={userColumns(me)}
              rows={read.toSorted((one, other) => one.name.localeCompare(other.name, "en-AU"))}
              keyOf={({ id }) => id}
            />
          </div>
        )}
      </QueryState>
    </Section>
  )
}

const userColumns = (me: string): readonly DataColumn<AppUser>[] => [
  {
    label: "Name",
    cell: ({ id, name, email, role }) => (
      <Group gap={10} wrap="nowrap">
        <Avatar name={name} accent={id === me} />
        <div className="truncate">
          <Link
            to="/settings/users/$userId"
            params={{ userId: id }}
            resetScroll={false}
            className={links.link}
            title={name}
          >
            {name}
          </Link>
          <Box hiddenFrom="md" className="caption truncate">
            {roleNames[role]}, {email}
          </Box>
        </div>
        {id === me && <span className="text-muted">You</span>}
      </Group>
    ),
  },
  {
    label: "E-mail",
    width: 252,
    hideBelow: "tablet",
    cell: ({ email }) => <Truncate className="text-secondary">{email}</Truncate>,
  },
  {
    label: "Role",
    width: 112,
    hideBelow: "tablet",
    cell: ({ role }) => <span className="text-secondary">{roleNames[role]}</span>,
  },
  { label: "State", width: 144, cell: (user) => <UserState user={user} /> },
  {
    label: "Last seen",
    width: 124,
    end: true,
    hideBelow: "phone",
    cell: ({ last_seen_at: at }) => (
      <span className="text-muted">{at === null ? "Not yet" : <RelativeTime at={at} />}</span>
    ),
  },
  {
    label: "Created",
    width: 124,
    end: true,
    hideBelow: "tablet",
    cell: ({ created_at }) => <RelativeTime at={created_at} className="text-muted" />,
  },
]

const disabled: StatusText = { icon: "ban", tone: "grey", word: "Disabled" }
const active: StatusText = { icon: "circle-check", tone: "success", word: "Active" }
const invited: StatusText = { icon: "clock-hour-4", tone: "warning", word: "Link not used yet" }

/** Whether a user can sign in: active, disabled, or still without a password. */
export function UserState({ user }: { user: AppUser }) {
  const enabled = user.has_password ? active : invited
  return <StatusLabel status={user.disabled ? disabled : enabled} />
}

/** The roles table: what each role may do. `chosen` highlights one column. */
export function RolesMatrix({ chosen }: { chosen?: Role }) {
  return (
    <Stack gap="sm">
      <table className={`l-meta ${classes.matrix}`} aria-label="What each role may do">
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Permission</span>
            </th>
            {roles.map((role) => (
              <th key={role} scope="col" data-chosen={role === chosen || undefined}>
                <span>{roleNames[role]}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Object.entries(permissions).map(([permission, { label, grants }]) => (
            <tr key={permission}>
              <th scope="row">{label}</th>
              {roles.map((role) => (
                <td key={role} data-chosen={role === chosen || undefined}>
                  <Cell grant={grants[role]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="caption">{grantNotes.map(([word, meaning]) => `${word}: ${meaning}`).join(". ")}.</p>
    </Stack>
  )
}

function Cell({ grant }: { grant: Grant }) {
  if (grant !== "yes" && grant !== "no") return <span className="text-secondary">{grantLabels[grant]}</span>
  return (
    <>
      {grant === "yes" ? (
        <IconCheck size={15} stroke={2} aria-hidden />
      ) : (
        <span aria-hidden className="text-muted">
          –
        </span>
      )}
      <span className="visually-hidden">{grantLabels[grant]}</span>
    </>
  )
}

/** The purpose of a role in one line; the table of roles has the details. */
const roleSentences: Readonly<Record<Role, string>> = {
  admin: "Full access, including users, keys and settings.",
  manager: "Runs the program: members, points, rewards, orders and cards.",
  fulfilment: "Ships orders. Sees order names and addresses, no other personal data.",
  viewer: "Views members, ledgers and lists. Can’t change anything.",
}

/** Short labels of a permission's reach, for table cells. */
const grantLabels: Readonly<Record<Grant, string>> = {
  yes: "Yes",
  reasoned: "With a reason",
  program: "Own, program",
  "own-orders": "Own, orders",
  own: "Own",
  redacted: "Partly",
  no: "No",
}

/** Explanations of the short labels. */
const grantNotes: readonly (readonly [word: string, meaning: string])[] = [
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
