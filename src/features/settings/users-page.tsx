import { Box, Group, Stack } from "@mantine/core"
import { IconCheck, IconPlus } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link, Outlet } from "@tanstack/react-router"
import { type Grant, permissions, type Role, roleNames, roles } from "../../../contract/roles.ts"
import type { AppUser } from "../../../contract/users.ts"
import { useSession } from "../../api/session.ts"
import { usersQuery } from "../../api/users.ts"
import { grantNotes, grantLabels } from "./user-roles.tsx"
import { type DataColumn, DataTable } from "../../ui/data-table.tsx"
import { Section } from "../../ui/page-header.tsx"
import { QueryState } from "../../ui/query-state.tsx"
import { StatusLabel, type StatusText } from "../../ui/status.tsx"
import { Avatar, RelativeTime, Truncate } from "../../ui/values.tsx"
import classes from "./settings.module.css"
import links from "../../lists/list-table.module.css"
import { LinkButton } from "../../ui/button.tsx"

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
