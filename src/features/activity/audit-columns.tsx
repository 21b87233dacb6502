import { IconChevronRight } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import type { AuditEntry } from "../../../contract/audit.ts"
import { actionName } from "../../lib/action-name.ts"
import { exact, millis } from "../../lib/time.ts"
import type { ListColumn, ListLayout } from "../../lists/list-columns.ts"
import links from "../../lists/list-table.module.css"
import { Avatar, RelativeTime } from "../../ui/values.tsx"
import classes from "./audit.module.css"
import { OutcomeWord } from "./outcome-words.tsx"

/** The entries that are open, and what opens and closes one. */
export interface OpenEntries {
  readonly ids: ReadonlySet<string>
  readonly toggle: (id: string) => void
}

/** What an act was about; a job, and a member that still exists, is a link. */
export function Subject({ entry: { on, action, outcome } }: { entry: AuditEntry }) {
  const label = on.label ?? on.id
  if (label === "") return null
  if (on.kind === "job" && on.id !== "") {
    return (
      <Link to="/jobs/$jobId" params={{ jobId: on.id }} className={`l-link ${links.above}`} title={label}>
        {label}
      </Link>
    )
  }
  const isGone = action === "member.delete" && outcome === "done"
  if (on.kind !== "member" || on.id === "" || isGone) return <span className="text-secondary">{label}</span>
  return (
    <Link
      to="/members/$memberId"
      params={{ memberId: on.id }}
      className={`l-link ${links.above}`}
      title={label}
    >
      {label}
    </Link>
  )
}

function What({ entry, open, layout }: { entry: AuditEntry; open: OpenEntries; layout: ListLayout }) {
  const isOpen = open.ids.has(entry.id)
  const subject = entry.on.label
  return (
    <span className={classes.what}>
      <button
        type="button"
        data-row-link
        aria-expanded={isOpen}
        className={`${links.link} ${classes.toggle}`}
        onClick={() => open.toggle(entry.id)}
      >
        <IconChevronRight size={14} stroke={2} aria-hidden className={classes.chevron} />
        {actionName(entry.action)}
      </button>
      {layout !== "wide" && (
        <span className={classes.below}>
          {layout === "phone" && subject !== null && subject !== entry.actor.name && `${subject}, by `}
          {entry.actor.name}
          {layout === "tablet" && (
            <>
              , <RelativeTime at={entry.at} />
            </>
          )}
        </span>
      )}
    </span>
  )
}

/** The columns of the audit log. */
export function auditColumns(open: OpenEntries): readonly ListColumn<AuditEntry>[] {
  return [
    {
      id: "when",
      label: "When",
      width: 216,
      value: (entry) => millis(entry.at),
      cell: (entry) => <span className="text-secondary l-num">{exact(entry.at)}</span>,
    },
    {
      id: "who",
      label: "Who",
      width: 184,
      value: (entry) => entry.actor.name,
      cell: ({ actor }) => (
        <span className={classes.who}>
          <Avatar name={actor.name} />
          <span className="truncate">{actor.name}</span>
        </span>
      ),
    },
    {
      id: "what",
      label: "What",
      width: 240,
      touch: "phone",
      value: (entry) => actionName(entry.action),
      cell: (entry, layout) => <What entry={entry} open={open} layout={layout} />,
    },
    {
      id: "on",
      label: "Item",
      touch: "tablet",
      value: (entry) => entry.on.label ?? entry.on.id,
      cell: (entry) => <Subject entry={entry} />,
    },
    {
      id: "outcome",
      label: "Outcome",
      width: 120,
      touch: "phone",
      value: (entry) => entry.outcome,
      cell: (entry, layout) => (
        <span className={classes.what}>
          <OutcomeWord outcome={entry.outcome} />
          {layout === "phone" && (
            <span className={`${classes.below} ${classes.flush}`}>
              <RelativeTime at={entry.at} />
            </span>
          )}
        </span>
      ),
    },
  ]
}
