import { UnstyledButton } from "@mantine/core"
import { IconCheck, IconCopy } from "@tabler/icons-react"
import { type ReactNode, useEffect, useState } from "react"
import { formatPoints, formatSigned } from "../lib/format.ts"
import { initials } from "../lib/names.ts"
import { ago, exact, millis, type Moment, onDay } from "../lib/time.ts"
import { Tooltip } from "./tooltip.tsx"
import { useNow } from "./hooks.ts"
import classes from "./values.module.css"

/** Characters of an unreadable value that are shown in a cell. */
const longestSent = 20

/** What the service sent where a number is due: dimmed, as it came, and never counted with. Nothing for nothing. */
export function AsSent({ sent }: { sent: unknown }) {
  if (sent === undefined) return null
  const text = typeof sent === "string" ? sent : JSON.stringify(sent)
  return (
    <span className={classes.points} data-look="dim" title="The service sent this instead of a number.">
      {text.slice(0, longestSent)}
    </span>
  )
}

interface PointsProps {
  value: number | null | undefined
  /** With its sign, as in a ledger: an award green, a deduction plain (it is not an error). */
  signed?: boolean
  dim?: boolean
  /** What the service sent instead of a number; shown as it came, and never counted with. */
  sent?: unknown
}

/** An amount of points in tabular figures, without a unit. A zero is quiet. */
export function Points({ value, signed = false, dim = false, sent }: PointsProps) {
  if (value === null || value === undefined) return <AsSent sent={sent} />
  const look = dim || value === 0 ? "dim" : signed && value > 0 ? "gain" : "plain"
  return (
    <span className={classes.points} data-look={look}>
      {signed ? formatSigned(value) : formatPoints(value)}
    </span>
  )
}

interface RelativeTimeProps {
  at: Moment | null | undefined
  /** The day and the time of day, as a ledger has it, instead of the time that has gone by. */
  calendar?: boolean
}

/** How long ago something was, kept current, with the exact moment on hover and for machines. */
export function RelativeTime({ at, calendar = false }: RelativeTimeProps) {
  const ms = at === null || at === undefined ? Number.NaN : millis(at)
  const coarse = useNow("half-minute")
  const now = useNow(!calendar && coarse - ms < 60_000 ? "second" : "half-minute")
  if (at === null || at === undefined) return null
  if (Number.isNaN(ms)) return <span>{String(at)}</span>
  return (
    <time dateTime={new Date(ms).toISOString()} title={exact(ms)} className="l-num">
      {calendar ? onDay(ms, now) : ago(ms, now)}
    </time>
  )
}

interface TruncateProps {
  children: ReactNode
  full?: string
  className?: string
}

/** Text on one line, cut with an ellipsis where it does not fit; all of it is in its `title`. */
export function Truncate({ children, full, className = "" }: TruncateProps) {
  return (
    <span
      className={`truncate ${classes.line} ${className}`}
      title={full ?? (typeof children === "string" ? children : undefined)}
    >
      {children}
    </span>
  )
}

interface AvatarProps {
  name: string
  size?: "sm" | "md"
  accent?: boolean
}

/** A person's initials. Decoration beside the name, so it is hidden from screen readers. */
export function Avatar({ name, size = "sm", accent = false }: AvatarProps) {
  return (
    <span className={classes.avatar} data-size={size} data-accent={accent || undefined} aria-hidden>
      {initials(name)}
    </span>
  )
}

/** What became of copying, in words. */
type CopyWords = "Copied" | "Couldn’t copy: select it instead"

/** How long it is said, in ms. */
const spoken = 1500

/** Copies a text, and says for a moment what became of it. */
export function useCopy(text: string): { said: CopyWords | null; copy: () => void } {
  const [said, setSaid] = useState<CopyWords | null>(null)
  useEffect(() => {
    if (said === null) return undefined
    const timer = setTimeout(() => setSaid(null), spoken)
    return () => clearTimeout(timer)
  }, [said])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid("Copied")
    } catch {
      // Browsers refuse outside a secure page; the text can still be selected.
      setSaid("Couldn’t copy: select it instead")
    }
  }
  return { said, copy: () => void copy() }
}

interface CopyTextProps {
  text: string
  mono?: boolean
  cut?: boolean
}

/** A fact that a click copies. */
export function CopyText({ text, mono = false, cut = false }: CopyTextProps) {
  const { said, copy } = useCopy(text)
  return (
    <Tooltip label={said ?? (cut ? `Copy ${text}` : "Copy")}>
      <UnstyledButton
        className={classes.copy}
        data-mono={mono || undefined}
        data-cut={cut || undefined}
        onClick={copy}
      >
        {text}
        {said === "Copied" ? (
          <IconCheck size={14} stroke={2} aria-hidden className={classes.done} />
        ) : (
          <IconCopy size={14} stroke={2} aria-label="Copy" className={classes.icon} />
        )}
        <output className="visually-hidden">{said ?? ""}</output>
      </UnstyledButton>
    </Tooltip>
  )
}
