import { Link } from "@tanstack/react-router"
import type { DeskUser } from "../../../../contract/users.ts"
import { roleNames } from "../../../../contract/roles.ts"
import { useSession } from "../../../api/session.ts"
import { Avatar, RelativeTime } from "../../../ui/values.tsx"
import heads from "../../../ui/table-head.module.css"
import tables from "../table.module.css"
import { UserState } from "./user-state.tsx"
import classes from "./users-table.module.css"

/** Everybody who may sign in, by name; a row opens the user. */
export function UsersTable({ users }: { users: readonly DeskUser[] }) {
  const me = useSession().user.id
  const byName = users.toSorted((one, other) => one.name.localeCompare(other.name, "en-AU"))
  return (
    <table className={`${tables.table} ${classes.users}`} aria-label="Users">
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
          <th scope="col" className={`${tables.end} ${classes.time}`}>
            Last seen
          </th>
          <th scope="col" className={`${tables.end} ${classes.time}`}>
            Created
          </th>
        </tr>
      </thead>
      <tbody>
        {byName.map((user) => (
          <tr key={user.id} className={classes.row}>
            <td>
              <div className={classes.who}>
                <Avatar name={user.name} accent={user.id === me} />
                <div className={classes.names}>
                  <Link
                    to="/settings/users/$userId"
                    params={{ userId: user.id }}
                    resetScroll={false}
                    className={classes.name}
                    title={user.name}
                  >
                    {user.name}
                  </Link>
                  <span className={classes.below}>
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
            <td className={`${tables.end} ${classes.time}`}>
              {user.last_seen_at === null ? "Not yet" : <RelativeTime at={user.last_seen_at} />}
            </td>
            <td className={`${tables.end} ${classes.time}`}>
              <RelativeTime at={user.created_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
