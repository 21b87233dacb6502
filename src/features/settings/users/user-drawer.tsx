import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { useState } from "react"
import type { PasswordLink } from "../../../../contract/users.ts"
import { usersQuery, userQuery } from "../../../api/users.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { SideDrawer } from "../../../ui/side-drawer.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import { EditUserForm } from "./edit-user-form.tsx"
import { OneTimeLinkDrawer } from "./one-time-link-drawer.tsx"

const route = getRouteApi("/_desk/settings/users/$userId")

/** One user: name, role, access, and a new password link, which then takes the drawer's place. */
export function UserDrawer() {
  const { userId } = route.useParams()
  const navigate = route.useNavigate()
  const { data: users = [] } = useQuery(usersQuery)
  const listed = users.find(({ id }) => id === userId)
  const { data: user = listed, error, refetch } = useQuery(userQuery(userId))
  const [link, setLink] = useState<PasswordLink | null>(null)
  const close = () => void navigate({ to: "/settings/users", resetScroll: false })

  if (user === undefined) {
    return (
      <SideDrawer title="User" wide onClose={close}>
        {error === null ? (
          <SkeletonRows rows={4} columns={[120, 240]} />
        ) : (
          <ErrorNotice error={error} what="Couldn’t load the user." onRetry={() => void refetch()} />
        )}
      </SideDrawer>
    )
  }
  if (link !== null) {
    return (
      <OneTimeLinkDrawer
        title="New password link"
        done={`A new link for ${user.name}`}
        user={user}
        link={link}
        onClose={close}
      />
    )
  }
  return <EditUserForm key={user.id} user={user} users={users} onLink={setLink} onClose={close} />
}
