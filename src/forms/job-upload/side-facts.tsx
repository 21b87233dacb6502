import type { ReactNode } from "react"
import classes from "./side-facts.module.css"

interface SideFactsProps {
  title: string
  figures: readonly { readonly label: string; readonly value: ReactNode }[]
  /** Facts without a value are left out. */
  facts: readonly { readonly label: string; readonly value: ReactNode }[]
}

/** What the rows come to: the figures that count, then what qualifies them. */
export function SideFacts({ title, figures, facts }: SideFactsProps) {
  return (
    <section className={classes.head}>
      <h2>{title}</h2>
      <dl className={classes.figures}>
        {figures.map(({ label, value }) => (
          <div key={label} className={classes.figure}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <dl className={classes.facts}>
        {facts
          .filter(({ value }) => value !== "" && value !== null)
          .map(({ label, value }) => (
            <div key={label} className={classes.fact}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </section>
  )
}
