import { Stack } from "@mantine/core"
import { useClipboard } from "@mantine/hooks"
import { IconCheck, IconCopy } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { formatPoints, formatSigned } from "../lib/format.ts"
import { initials } from "../lib/names.ts"
import { ago, exact, millis, type Moment, onDay, serverTime } from "../lib/time.ts"
import { useTimeText } from "./hooks.ts"
import classes from "./values.module.css"
import { Tooltip } from "./tooltip.tsx"

const longestSent = 20

/** What the service sent instead of a number: dimmed, as received, and never summed. Empty for nothing. */
export function AsSent({ sent }: { sent: unknown }) {
  if (sent === undefined) return null
  const text = typeof sent === "string" ? sent : JSON.stringify(sent)
  return (
    <span className="l-num nowrap text-muted" title="The service sent this instead of a number.">
      {text.slice(0, longestSent)}
    </span>
  )
}

/**
 * An amount of points in tabular figures, without a unit. `signed` as in a ledger: an award green, a deduction plain
 * (it is not an error). `dim` for secondary amounts; a zero is muted too. What the service `sent` instead of a number
 * is shown as received, and never summed.
 */
export function Points(props: {
  value: number | null | undefined
  signed?: boolean
  dim?: boolean
  sent?: unknown
}) {
  const { value, signed = false, dim = false, sent } = props
  if (value === null || value === undefined) return <AsSent sent={sent} />
  const text = signed ? formatSigned(value) : formatPoints(value)
  if (dim || value === 0) return <span className="l-num nowrap text-muted">{text}</span>
  const tone = signed && value > 0 ? "success" : undefined
  return (
    <span className={`l-num nowrap l-strong ${tone === undefined ? "" : "tone-text"}`} data-tone={tone}>
      {text}
    </span>
  )
}

/** Time since an event, kept up to date; with `calendar` the day and the time, as in a ledger. */
export function RelativeTime(props: {
  at: Moment | null | undefined
  calendar?: boolean
  className?: string
}) {
  const { at, calendar = false, className = "" } = props
  const ms = at === null || at === undefined ? Number.NaN : millis(at)
  const words = calendar ? onDay : ago
  // Numbers are times of this browser, texts are times of records.
  const text = useTimeText((then, now) => words(then, typeof at === "string" ? serverTime(now) : now), ms)
  if (at === null || at === undefined) return null
  if (Number.isNaN(ms)) return <span className={className}>{String(at)}</span>
  return (
    <time dateTime={new Date(ms).toISOString()} title={exact(ms)} className={`l-num ${className}`}>
      {text}
    </time>
  )
}

/** Text on one line with an ellipsis; the complete text (`full`) is in its `title`. */
export function Truncate(props: { children: ReactNode; full?: string; className?: string }) {
  const { children, full, className = "" } = props
  return (
    <span
      className={`truncate ${classes.line} ${className}`}
      title={full ?? (typeof children === "string" ? children : undefined)}
    >
      {children}
    </span>
  )
}

/** A user's initials, hidden from screen readers; `accent` for the current user or the leader. */
export function Avatar(props: { name: string; size?: "sm" | "md"; accent?: boolean }) {
  const { name, size = "sm", accent = false } = props
  return (
    <span className={classes.avatar} data-size={size} data-accent={accent || undefined} aria-hidden>
      {initials(name)}
    </span>
  )
}

/** A name on one line, and its details on a smaller one below; with `wraps` both wrap. */
export function NameAndAbout(props: { name: string; about: string | null | undefined; wraps?: boolean }) {
  const { name, about, wraps = false } = props
  const fit = wraps ? "wrap-anywhere" : "truncate"
  return (
    <Stack component="span" gap={0} className="grow">
      <span className={`l-medium ${fit}`}>{name}</span>
      <span className={`caption ${fit}`}>{about}</span>
    </Stack>
  )
}

/** A member in a ranking, as far as the service named them: a link if the member is known. */
export function MemberName(props: { name: string | null; memberId: string | null; linked: boolean }) {
  const { name, memberId, linked } = props
  const text = name ?? memberId
  if (text === null) return <span className="grow text-muted">No name</span>
  const look = {
    className: "grow l-medium truncate hover-underline",
    title: text,
    children: <bdi>{text}</bdi>,
  }
  // `.` and `..` cannot be part of a path.
  if (!linked || memberId === null || /^\.{1,2}$/.test(memberId)) return <span {...look} />
  return <Link to="/members/$memberId" params={{ memberId }} {...look} />
}

/** Copies a text and briefly shows the result. */
export function useCopy(text: string) {
  const { copy, copied, error } = useClipboard({ timeout: 1500 })
  // Refused on insecure origins; the text can still be selected.
  const failed = error === null ? null : "Couldn’t copy: select it instead"
  return { said: copied ? "Copied" : failed, copy: () => copy(text) }
}

/**
 * A fact that is copied by a click: `mono` for ids and codes, `cut` to one line with the complete text in the tooltip;
 * `label` replaces the visible text.
 */
export function CopyText(props: { text: string; mono?: boolean; cut?: boolean; label?: string }) {
  const { text, mono = false, cut = false, label } = props
  const { said, copy } = useCopy(text)
  return (
    <Tooltip label={said ?? (cut ? `Copy ${text}` : "Copy")}>
      <button
        type="button"
        className={`${classes.copy} ${label ? "l-link" : ""} ${mono ? "l-mono" : ""} ${cut ? `truncate ${classes.line}` : ""}`}
        data-cut={cut || undefined}
        onClick={copy}
      >
        {label ?? text}
        {said === "Copied" ? (
          <IconCheck size={14} stroke={2} aria-hidden className={classes.done} />
        ) : (
          <IconCopy size={14} stroke={2} aria-label={label ? undefined : "Copy"} className={classes.icon} />
        )}
        <output className="visually-hidden">{said ?? ""}</output>
      </button>
    </Tooltip>
  )
}
