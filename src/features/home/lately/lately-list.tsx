import type { Icon } from "@tabler/icons-react"
import { Link, type LinkProps } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { RelativeTime } from "../../../ui/values.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Section } from "../../../ui/page-header.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import classes from "./lately-list.module.css"

/** Lines shown. */
export const latelyShown = 6

/** Something that was done. */
interface LatelyLine {
  readonly id: string
  readonly icon: Icon
  readonly what: string
  /** On whom or what; may be empty. */
  readonly on: string
  readonly link: LinkProps | undefined
  readonly who: string
  readonly at: string
}

interface LatelyListProps {
  /** Leads to all of it. */
  end: ReactNode
  /** undefined while they are read. */
  lines: readonly LatelyLine[] | undefined
  error: Error | null
  onRetry: () => void
}

/** What was done lately, newest first. */
export function LatelyList({ end, lines, error, onRetry }: LatelyListProps) {
  return (
    <Section title="Recent activity" end={end}>
      {lines === undefined && error !== null && (
        <ErrorNotice error={error} what="Couldn’t load recent activity." onRetry={onRetry} />
      )}
      {lines === undefined && error === null && <SkeletonRows rows={latelyShown} columns={[240, 120]} />}
      {lines?.length === 0 && <p className="text-secondary">No activity yet.</p>}
      {lines !== undefined && lines.length > 0 && (
        <ul className={classes.lines}>
          {lines.map((line) => (
            <Line key={line.id} line={line} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function Line({ line: { icon: Icon, what, on, link, who, at } }: { line: LatelyLine }) {
  const words = [what, on].filter(Boolean).join(": ")
  return (
    <li className={classes.line}>
      <Icon size={16} stroke={1.75} aria-hidden className={classes.icon} />
      {link === undefined ? (
        <span className="truncate" title={words}>
          {words}
        </span>
      ) : (
        <Link {...link} className={classes.what} title={words}>
          {words}
        </Link>
      )}
      <span className={classes.who}>
        {who}, <RelativeTime at={at} />
      </span>
    </li>
  )
}
