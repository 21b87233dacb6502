import { Button } from "@mantine/core"
import { IconPlus } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link, Outlet } from "@tanstack/react-router"
import { usersQuery } from "../../../api/users.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import { NeedsRolePage } from "../needs-role-page.tsx"
import { SectionHead } from "../section-head.tsx"
import { RolesMatrix } from "./roles-matrix.tsx"
import { UsersTable } from "./users-table.tsx"

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
