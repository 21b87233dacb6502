import { cloneElement, type ReactElement, type ReactNode } from "react"
import { roleNames, roleNeeded, type Permission } from "../../contract/roles.ts"
import { useCan, useSession } from "../api/session.ts"
import { IconLock } from "@tabler/icons-react"
import { PageHeader } from "../ui/page-header.tsx"
import { EmptyState } from "../ui/query-state.tsx"
import { Tooltip } from "../ui/tooltip.tsx"

type Control = ReactElement<Record<string, unknown>>

/** Disables a control with an explanation if it is not allowed. The server checks again. */
export function Allowed({ allowed, why, children }: { allowed: boolean; why: string; children: Control }) {
  if (allowed) return children
  return (
    <Tooltip label={why}>
      {cloneElement(children, {
        "data-disabled": true,
        "aria-disabled": true,
        "aria-description": why,
        onClick: (event: Event) => event.preventDefault(),
      })}
    </Tooltip>
  )
}

/** A control that needs a permission; otherwise disabled, naming the required role. */
export function RequirePermission({ permission, children }: { permission: Permission; children: Control }) {
  return (
    <Allowed allowed={useCan(permission)} why={useNeeded(permission)}>
      {children}
    </Allowed>
  )
}

const useNeeded = (permission: Permission) =>
  `Requires the ${roleNames[roleNeeded(permission, useSession().user.role)]} role`

/** A page that needs a permission; otherwise it sends no request and explains why. */
export function RequirePagePermission(props: {
  permission: Permission
  title?: string
  noun: string
  help?: string
  children: ReactNode
}) {
  const { permission, title, noun, children } = props
  const needed = useNeeded(permission)
  if (useCan(permission)) return children
  const help = props.help ?? `${needed}.`
  return (
    <>
      {title !== undefined && <PageHeader title={title} />}
      <Denied title={`Your role can’t view ${noun}`}>{help}</Denied>
    </>
  )
}

/** Replaces content that a role cannot use; `children` name the roles that can. */
export function Denied({ title, children }: { title: string; children: ReactNode }) {
  return (
    <EmptyState
      icon={IconLock}
      title={title}
      help={<>{children} Ask an administrator to change your role.</>}
    />
  )
}
