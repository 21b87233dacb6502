import { type Icon, IconLock } from "@tabler/icons-react"
import { Fragment, type ReactNode } from "react"
import { type Permission, roleNames, roleNeeded } from "../../../contract/roles.ts"
import type { Api } from "../../../contract/status.ts"
import { useCan } from "../../api/session.ts"
import { EmptyState } from "../../ui/query-state.tsx"
import classes from "./settings.module.css"

/** A fact: its name and what is so. */
export type FactRow = readonly [name: string, value: ReactNode]

/** Names on the left, values at the right end, one line each. */
export function Facts({ rows }: { rows: readonly FactRow[] }) {
  return (
    <dl className={classes.facts2}>
      {rows.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

interface MarkedProps {
  icon: Icon
  /** Colours the icon alone; a grey word is quieter. */
  tone: "success" | "warning" | "danger" | "grey"
  children: ReactNode
}

/** An icon and a word. */
export function Marked({ icon: Icon, tone, children }: MarkedProps) {
  return (
    <span className={classes.marked} data-tone={tone}>
      <Icon size={15} stroke={2} aria-hidden />
      {children}
    </span>
  )
}

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

interface SectionHeadProps {
  title: string
  /** One fact or one choice beside the title. */
  beside?: ReactNode
  /** At the right end: a fact, a legend or a button. */
  end?: ReactNode
}

/** The head of a section within a page. */
export function SectionHead({ title, beside, end }: SectionHeadProps) {
  return (
    <div className={classes.sectionHeader}>
      <h2>{title}</h2>
      {beside !== undefined && <div className={classes.beside}>{beside}</div>}
      {end !== undefined && <div className={classes.end}>{end}</div>}
    </div>
  )
}

/** What the services are called on the settings pages. */
export const serviceNames: Readonly<Record<Api, string>> = {
  program: "Program API",
  giftcard: "Gift card API",
}
