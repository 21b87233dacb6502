import { IconChevronRight } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { usePageTitle } from "./hooks.ts"
import classes from "./page-header.module.css"

/** A page above this one. */
interface PathStep {
  label: string
  to: string
}

interface PageHeaderProps {
  title: string
  /** One fact beside the title: "214 match". Spoken when it changes. */
  sum?: ReactNode
  path?: readonly PathStep[]
  pill?: ReactNode
  lead?: ReactNode
  actions?: ReactNode
}

/** The head of a page: path, `h1`, one fact and the page's actions. Sets the window's title. */
export function PageHeader({ title, sum, path, pill, lead, actions }: PageHeaderProps) {
  usePageTitle(title)
  return (
    <header className={classes.header} data-lines={lead === undefined ? undefined : "several"}>
      {lead}
      <div className={classes.words}>
        {path !== undefined && path.length > 0 && (
          <nav aria-label="Path" className={classes.path}>
            {path.map((step, index) => (
              <span key={step.to} className={classes.step}>
                {index > 0 && <IconChevronRight size={12} stroke={2} aria-hidden />}
                <Link to={step.to}>{step.label}</Link>
              </span>
            ))}
          </nav>
        )}
        <div className={classes.line}>
          <h1 tabIndex={-1} className={classes.title}>
            {title}
          </h1>
          {pill}
          {sum !== undefined && <output className={classes.sum}>{sum}</output>}
        </div>
      </div>
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </header>
  )
}

interface SectionProps {
  title: string
  beside?: ReactNode
  end?: ReactNode
  children: ReactNode
}

/** A part of a page under its own heading. */
export function Section({ title, beside, end, children }: SectionProps) {
  return (
    <section aria-label={title} className={classes.section}>
      <div className={classes.head}>
        <h2>{title}</h2>
        {beside !== undefined && <span className={classes.beside}>{beside}</span>}
        {end !== undefined && <span className={classes.end}>{end}</span>}
      </div>
      {children}
    </section>
  )
}

/** One number with its label. */
export interface Figure {
  label: string
  value: ReactNode
  /** Quieter; by default every figure but the first. */
  quiet?: boolean
}

/** The numbers of a page: label above, tabular, divided by hairlines, no boxes. `end` stands at the right. */
export function Figures({ items, end }: { items: readonly Figure[]; end?: ReactNode }) {
  return (
    <div className={classes.row}>
      <dl className={classes.figures}>
        {items.map(({ label, value, quiet }, index) => (
          <div key={label} className={classes.figure}>
            <dt className={classes.label}>{label}</dt>
            <dd className={classes.value} data-quiet={(quiet ?? index > 0) || undefined}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
      {end !== undefined && <div className={classes.end}>{end}</div>}
    </div>
  )
}
