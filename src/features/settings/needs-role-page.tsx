import { IconLock } from "@tabler/icons-react"
import type { ReactNode } from "react"
import { roleNames, roleNeeded, type Permission } from "../../../contract/roles.ts"
import { useCan } from "../../api/session.ts"
import { EmptyState } from "../../ui/query-state.tsx"

interface NeedsRolePageProps {
  permission: Permission
  /** What the page is, as in its navigation. */
  title: string
  children: ReactNode
}

/** A page behind a permission: without it the address says which role it needs, and nothing is asked of the server. */
export function NeedsRolePage({ permission, title, children }: NeedsRolePageProps) {
  const allowed = useCan(permission)
  if (allowed) return children
  const role = roleNames[roleNeeded(permission)]
  return (
    <EmptyState
      icon={IconLock}
      title={`Requires the ${role} role`}
      help={`Your role can’t open “${title}”. Ask an administrator to change your role.`}
    />
  )
}
