import { cloneElement, type ReactElement } from "react"
import { roleNames, roleNeeded, type Permission } from "../../contract/roles.ts"
import { useCan } from "../api/session.ts"
import { Tooltip } from "./tooltip.tsx"

interface NeedsRoleProps {
  permission: Permission
  /** A control that takes `disabled`, and `data-disabled` to stay reachable by keyboard and pointer. */
  children: ReactElement<{
    disabled?: boolean
    "data-disabled"?: boolean
    "aria-disabled"?: boolean
    "aria-describedby"?: string | undefined
    onClick?: unknown
  }>
}

/**
 * A control that everybody sees and not everybody may use: without the permission it is disabled and says which
 * role it needs. The server decides again.
 */
export function NeedsRole({ permission, children }: NeedsRoleProps) {
  const allowed = useCan(permission)
  if (allowed) return children
  return (
    <Tooltip label={`Requires the ${roleNames[roleNeeded(permission)]} role`}>
      {cloneElement(children, {
        "data-disabled": true,
        "aria-disabled": true,
        onClick: (event: Event) => event.preventDefault(),
      })}
    </Tooltip>
  )
}
