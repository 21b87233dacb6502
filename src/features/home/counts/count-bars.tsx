import { Link, type LinkProps } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { formatCount } from "../../../lib/format.ts"
import classes from "./count-bars.module.css"

/** One line: what, how many, and where they are. */
export interface CountLine {
  readonly id: string
  readonly name: ReactNode
  /** null while it is not known. */
  readonly count: number | null
  readonly link?: LinkProps
}

/** Counts with a bar each, against the largest of them. */
export function CountBars({ lines, label }: { lines: readonly CountLine[]; label: string }) {
  const largest = Math.max(1, ...lines.map(({ count }) => count ?? 0))
  return (
    <ul aria-label={label} className={classes.lines}>
      {lines.map((line) => (
        <li key={line.id}>
          {line.link === undefined ? (
            <span className={classes.line}>
              <Inside {...line} largest={largest} />
            </span>
          ) : (
            <Link {...line.link} className={classes.line}>
              <Inside {...line} largest={largest} />
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}

function Inside({ name, count, largest }: CountLine & { largest: number }) {
  return (
    <>
      <span className="truncate">{name}</span>
      <span className={classes.bar} aria-hidden>
        {/* One of thousands is still seen. */}
        {count !== null && count > 0 && <span style={{ width: `max(${(count / largest) * 100}%, 2px)` }} />}
      </span>
      <span className={classes.count}>
        {count === null ? <span className="visually-hidden">not known</span> : formatCount(count)}
      </span>
    </>
  )
}
