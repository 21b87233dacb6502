import { Link } from "@tanstack/react-router"
import type { Member } from "../../../../contract/program/member.ts"
import { asSent } from "../../../../contract/reading.ts"
import { sees } from "../../../../contract/redaction.ts"
import { can, type Role } from "../../../../contract/roles.ts"
import { fullName } from "../../../lib/names.ts"
import { millis } from "../../../lib/time.ts"
import type { ListColumn, ListLayout } from "../../../lists/list-columns.ts"
import links from "../../../lists/list-table.module.css"
import { Status } from "../../../ui/status.tsx"
import { Avatar, Points, RelativeTime, Truncate } from "../../../ui/values.tsx"
import classes from "./members-list.module.css"

/** A column and the field a role must see for it. */
interface MemberColumn extends ListColumn<Member> {
  readonly field: string
}

const text = (value: string | null | undefined) => (value === null || value === "" ? undefined : value)
const time = (value: string | null | undefined) => {
  const ms = value === null || value === undefined ? Number.NaN : millis(value)
  return Number.isNaN(ms) ? undefined : ms
}

/** @param look class names of `global.css` */
const textCell = (value: string | null | undefined, look?: string) =>
  value ? <Truncate {...(look && { className: look })}>{value}</Truncate> : null
const timeCell = (at: string | null | undefined) => (
  <span className="text-muted">
    <RelativeTime at={at} />
  </span>
)

/** The columns of the documented fields, in the order of the look: who, what describes them, status, amount, time. */
const documented: readonly MemberColumn[] = [
  {
    id: "name",
    field: "id",
    label: "Member",
    width: 200,
    touch: "phone",
    value: fullName,
    cell: (member, layout) => <NameCell member={member} layout={layout} />,
  },
  {
    id: "email",
    field: "email",
    label: "E-mail",
    value: (member) => text(member.email),
    cell: (member) => textCell(member.email, "text-secondary"),
  },
  {
    id: "company",
    field: "company",
    label: "Company",
    value: (member) => text(member.company),
    cell: (member) => textCell(member.company, "text-secondary"),
  },
  {
    id: "phone",
    field: "phone",
    label: "Phone",
    width: 144,
    hidden: true,
    value: (member) => text(member.phone),
    cell: (member) => textCell(member.phone, "text-secondary"),
  },
  {
    id: "tier",
    field: "tier",
    label: "Tier",
    width: 88,
    touch: "tablet",
    value: (member) => text(member.tier),
    cell: (member) => textCell(member.tier),
  },
  {
    id: "status",
    field: "status",
    label: "Status",
    width: 104,
    touch: "tablet",
    value: (member) => text(member.status),
    cell: (member) => <Status of="member" value={member.status} />,
  },
  {
    id: "points",
    field: "points_balance",
    label: "Points",
    width: 104,
    end: true,
    touch: "phone",
    descFirst: true,
    value: (member) => member.points_balance ?? undefined,
    cell: (member, layout) => <PointsCell member={member} layout={layout} />,
  },
  {
    id: "updated",
    field: "updated_at",
    label: "Updated",
    width: 136,
    end: true,
    touch: "tablet",
    descFirst: true,
    value: (member) => time(member.updated_at),
    cell: (member) => timeCell(member.updated_at),
  },
  {
    id: "created",
    field: "created_at",
    label: "Created",
    width: 136,
    end: true,
    hidden: true,
    descFirst: true,
    value: (member) => time(member.created_at),
    cell: (member) => timeCell(member.created_at),
  },
  {
    id: "id",
    field: "id",
    label: "Id",
    width: 216,
    hidden: true,
    value: (member) => member.id,
    cell: (member) => textCell(member.id, "l-mono text-secondary"),
  },
]

/** A metadata value in one line: text as it is, anything else as JSON. */
function metadataText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === "string" ? value : JSON.stringify(value)
}

/** A column for one key of the members' free-form data. */
function metadataColumn(key: string): ListColumn<Member> {
  const shown = (member: Member) => metadataText(member.metadata?.[key])
  return {
    id: `meta:${key}`,
    label: key,
    width: 144,
    hidden: true,
    value: shown,
    cell: (member) => textCell(shown(member), "text-secondary"),
  }
}

/** A column that is shown from the start and shares the width, so that no void follows the names. */
function opened({ width: _width, ...column }: ListColumn<Member>): ListColumn<Member> {
  return { ...column, hidden: false, touch: "phone" }
}

/** The name with what one does most: it is in the first cell and shows at the row's other end. */
function withAward(column: ListColumn<Member>): ListColumn<Member> {
  return {
    ...column,
    cell: (member, layout) => (
      <>
        {column.cell(member, layout)}
        {layout === "wide" && <AwardInRow member={member} />}
      </>
    ),
  }
}

/**
 * The columns a role sees. Fulfilment sees names and ids only, so the id is shown to them from the start.
 * @param metadataKeys keys seen in members that were read
 */
export function memberColumns(role: Role, metadataKeys: readonly string[]): readonly ListColumn<Member>[] {
  const own = documented.filter(({ field }) => sees("member", role, field))
  const shown = (own.length <= 2 ? own.map(opened) : own).map((column) =>
    column.id === "name" && can(role, "points.write") ? withAward(column) : column,
  )
  return sees("member", role, "metadata") ? [...shown, ...metadataKeys.map(metadataColumn)] : shown
}

/** Who it is, with the row's link; below it, on touch, what tells people of one name apart. */
function NameCell({ member, layout }: { member: Member; layout: ListLayout }) {
  const name = fullName(member)
  const below = member.company || member.email
  return (
    <span className={classes.who}>
      <Avatar name={name} />
      <span className={classes.lines}>
        <Link
          to="/members/$memberId"
          params={{ memberId: member.id }}
          data-row-link
          className={`${links.link} ${classes.line}`}
        >
          {name}
        </Link>
        {layout !== "wide" && below && <span className={classes.below}>{below}</span>}
      </span>
    </span>
  )
}

/** Appears at the right end of the row on hover and focus: awards points without leaving the list. */
function AwardInRow({ member }: { member: Member }) {
  return (
    <Link
      to="."
      search={(now) => ({ ...now, act: "award", for: member.id })}
      resetScroll={false}
      className={classes.award}
      aria-label={`Award points to ${fullName(member)}`}
    >
      Award
    </Link>
  )
}

/** The balance; on a phone with the status below it. */
function PointsCell({ member, layout }: { member: Member; layout: ListLayout }) {
  if (layout !== "phone")
    return <Points value={member.points_balance} sent={asSent(member, "points_balance")} />
  return (
    <span className={classes.endLines}>
      <Points value={member.points_balance} sent={asSent(member, "points_balance")} />
      <span className={classes.below}>
        <Status of="member" value={member.status} />
      </span>
    </span>
  )
}

/** What members that were read so far show: the service lists neither tiers nor metadata keys. */
export interface Observed {
  readonly tiers: readonly string[]
  readonly metadataKeys: readonly string[]
}

/** More keys than anybody wants to choose from are not offered. */
const mostKeys = 40

/** Tiers and metadata keys of members, each in its usual order. */
export function observedIn(members: readonly Member[]): Observed {
  const tiers = new Set<string>()
  const keys = new Set<string>()
  for (const member of members) {
    if (typeof member.tier === "string" && member.tier !== "") tiers.add(member.tier)
    for (const key of Object.keys(member.metadata ?? {})) keys.add(key)
  }
  return { tiers: ordered(tiers), metadataKeys: ordered(keys).slice(0, mostKeys) }
}

function ordered(values: ReadonlySet<string>): string[] {
  return [...values].toSorted((one, other) => one.localeCompare(other, "en-AU", { numeric: true }))
}
