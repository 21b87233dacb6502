import { Button, VisuallyHidden } from "@mantine/core"
import { IconBan, IconCheck, IconCircleCheck, IconClockHour4, IconPlus } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link, Outlet } from "@tanstack/react-router"
import { type Grant, permissions, type Role, roleNames, roles } from "../../../contract/roles.ts"
import type { AppUser } from "../../../contract/users.ts"
import { useSession } from "../../api/session.ts"
import { usersQuery } from "../../api/users.ts"
import { Marked, NeedsRolePage, SectionHead } from "./settings-parts.tsx"
import { grantNotes, grantWords } from "./user-roles.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { SkeletonRows } from "../../ui/query-state.tsx"
import { Avatar, RelativeTime } from "../../ui/values.tsx"
import classes from "./settings.module.css"
import heads from "../../ui/table-head.module.css"

/** Who may sign in and as what; drawers open above it. */
export function UsersPage() {
  return (
    <NeedsRolePage permission="users.manage" title="Users and roles">
      <Users />
      <section>
        <SectionHead title="What each role may do" />
        <RolesMatrix />
      </section>
      <Outlet />
    </NeedsRolePage>
  )
}

function Users() {
  const { data: users, error, refetch } = useQuery(usersQuery)
  return (
    <section>
      <SectionHead
        title="Users"
        beside={users?.length}
        end={
          <Button
            variant="filled"
            leftSection={<IconPlus size={16} stroke={2} aria-hidden />}
            renderRoot={(props) => <Link to="/settings/users/new" resetScroll={false} {...props} />}
          >
            New user
          </Button>
        }
      />
      {error !== null && (
        <ErrorNotice error={error} what="Couldn’t load the users." onRetry={() => void refetch()} />
      )}
      {users !== undefined && <UsersTable users={users} />}
      {users === undefined && error === null && <SkeletonRows rows={5} columns={[180, 220, 90, 120]} />}
    </section>
  )
}

/** Everybody who may sign in, by name; a row opens the user. */
function UsersTable({ users }: { users: readonly AppUser[] }) {
  const me = useSession().user.id
  const byName = users.toSorted((one, other) => one.name.localeCompare(other.name, "en-AU"))
  return (
    <table className={`${classes.table} ${classes.users}`} aria-label="Users">
      <thead className={heads.head}>
        <tr>
          <th scope="col">Name</th>
          <th scope="col" className={classes.email}>
            E-mail
          </th>
          <th scope="col" className={classes.role}>
            Role
          </th>
          <th scope="col" className={classes.state}>
            State
          </th>
          <th scope="col" className={`${classes.tableEnd} ${classes.time}`}>
            Last seen
          </th>
          <th scope="col" className={`${classes.tableEnd} ${classes.time}`}>
            Created
          </th>
        </tr>
      </thead>
      <tbody>
        {byName.map((user) => (
          <tr key={user.id} className={classes.userRow}>
            <td>
              <div className={classes.who}>
                <Avatar name={user.name} accent={user.id === me} />
                <div className={classes.names}>
                  <Link
                    to="/settings/users/$userId"
                    params={{ userId: user.id }}
                    resetScroll={false}
                    className={classes.userName}
                    title={user.name}
                  >
                    {user.name}
                  </Link>
                  <span className={classes.userBelow}>
                    {roleNames[user.role]}, {user.email}
                  </span>
                </div>
                {user.id === me && <span className="text-muted">You</span>}
              </div>
            </td>
            <td className={classes.email} title={user.email}>
              {user.email}
            </td>
            <td className={classes.role}>{roleNames[user.role]}</td>
            <td className={classes.state}>
              <UserState user={user} />
            </td>
            <td className={`${classes.tableEnd} ${classes.time}`}>
              {user.last_seen_at === null ? "Not yet" : <RelativeTime at={user.last_seen_at} />}
            </td>
            <td className={`${classes.tableEnd} ${classes.time}`}>
              <RelativeTime at={user.created_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Whether a user can sign in: active, disabled, or still without a password. */
export function UserState({ user }: { user: AppUser }) {
  if (user.disabled) {
    return (
      <Marked icon={IconBan} tone="grey">
        Disabled
      </Marked>
    )
  }
  return user.has_password ? (
    <Marked icon={IconCircleCheck} tone="success">
      Active
    </Marked>
  ) : (
    <Marked icon={IconClockHour4} tone="warning">
      Link not used yet
    </Marked>
  )
}

/** What each role may do: the roles table itself, row by row. `chosen` marks one column. */
export function RolesMatrix({ chosen }: { chosen?: Role }) {
  return (
    <div>
      <table className={classes.matrix} aria-label="What each role may do">
        <thead>
          <tr>
            <th scope="col">
              <VisuallyHidden>Permission</VisuallyHidden>
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
      <p className={classes.notes}>
        {grantNotes.map(([word, meaning]) => `${word}: ${meaning}`).join(". ")}.
      </p>
    </div>
  )
}

function Cell({ grant }: { grant: Grant }) {
  if (grant !== "yes" && grant !== "no") return <span className={classes.some}>{grantWords[grant]}</span>
  return (
    <>
      {grant === "yes" ? (
        <IconCheck size={15} stroke={2} aria-hidden className={classes.yes} />
      ) : (
        <span aria-hidden className={classes.no}>
          –
        </span>
      )}
      <VisuallyHidden>{grantWords[grant]}</VisuallyHidden>
    </>
  )
}
