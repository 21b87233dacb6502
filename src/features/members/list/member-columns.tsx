import { CellLink } from "../../../ui/record-link.tsx"
import type { Member } from "../../../../contract/program/member.ts"
import { rawValue } from "../../../../contract/reading.ts"
import { sees } from "../../../../contract/redaction.ts"
import { can, type Role } from "../../../../contract/roles.ts"
import { fullName, initials } from "../../../lib/names.ts"
import { millis } from "../../../lib/time.ts"
import { type ListColumn, type ListLayout, compareWords } from "../../../lists/list-columns.ts"
import links from "../../../lists/list-table.module.css"
import { Status } from "../../../ui/status.tsx"
import { Avatar, plainPoints, Points } from "../../../ui/values.tsx"

interface MemberColumn extends ListColumn<Member> {
  readonly field: string
}

/** A text column; `look` are class names of `global.css`. */
function textColumn(
  label: string,
  field: string,
  textOf: (member: Member) => string | null | undefined,
  rest: Partial<MemberColumn> = {},
): MemberColumn {
  return {
    id: field,
    field,
    label,
    value: (member) => textOf(member) || undefined,
    look: "text-secondary",
    cell: textOf,
    ...rest,
  }
}

function timeColumn(
  label: string,
  id: string,
  field: "updated_at" | "created_at",
  rest: Partial<MemberColumn>,
): MemberColumn {
  return {
    id,
    field,
    label,
    width: 136,
    end: true,
    descFirst: true,
    value: ({ [field]: at }) => (at == null ? undefined : millis(at) || undefined),
    look: "text-muted",
    time: ({ [field]: at }) => at,
    ...rest,
  }
}

const documented: readonly MemberColumn[] = [
  {
    id: "name",
    field: "id",
    label: "Member",
    width: 200,
    touch: "phone",
    value: fullName,
    cell: nameCell,
  },
  textColumn("E-mail", "email", ({ email }) => email),
  textColumn("Company", "company", ({ company }) => company, { yields: 1 }),
  textColumn("Phone", "phone", ({ phone }) => phone, { width: 144, hidden: true }),
  textColumn("Tier", "tier", ({ tier }) => tier, { width: 88, touch: "tablet", look: "" }),
  {
    id: "status",
    field: "status",
    label: "Status",
    width: 104,
    touch: "tablet",
    value: (member) => member.status || undefined,
    cell: (member) => <Status of="member" value={member.status} />,
  },
  {
    id: "points",
    field: "points_balance",
    label: "Points",
    // Wide enough for "Award" and seven digits.
    width: 136,
    narrow: 96,
    end: true,
    touch: "phone",
    descFirst: true,
    value: (member) => member.points_balance ?? undefined,
    look: ({ points_balance }, layout) => (points_balance && layout !== "phone" ? "l-strong" : ""),
    cell: pointsCell,
  },
  timeColumn("Updated", "updated", "updated_at", { touch: "tablet", yields: 2 }),
  timeColumn("Created", "created", "created_at", { hidden: true }),
  textColumn("Id", "id", ({ id }) => id, { width: 216, hidden: true, look: "l-mono text-secondary" }),
]

function metadataColumn(key: string): MemberColumn {
  const textOf = ({ metadata }: Member) => {
    const value = metadata?.[key] ?? undefined
    return typeof value === "string" ? value : JSON.stringify(value)
  }
  return textColumn(key, `meta:${key}`, textOf, { width: 144, hidden: true })
}

/**
 * The columns a role sees, plus the `metadataKeys` of loaded members. Fulfilment sees only names and ids, so the id
 * is visible by default and shares the width.
 */
export function memberColumns(role: Role, metadataKeys: readonly string[]): readonly ListColumn<Member>[] {
  const own: readonly ListColumn<Member>[] = documented.filter(({ field }) => sees("member", role, field))
  const opened =
    own.length > 2
      ? own
      : own.map(({ width: _width, ...column }) => ({ ...column, hidden: false, touch: "phone" as const }))
  const shown = can(role, "points.write") ? opened.map(withAward) : opened
  return sees("member", role, "metadata") ? [...shown, ...metadataKeys.map(metadataColumn)] : shown
}

function withAward(column: ListColumn<Member>): ListColumn<Member> {
  if (column.id !== "points") return column
  return {
    ...column,
    action: (member) => (
      <CellLink
        to="."
        search={(now) => ({ ...now, act: "award", for: member.id })}
        resetScroll={false}
        className={links.action}
        aria-label={`Award points to ${fullName(member)}`}
      >
        Award
      </CellLink>
    ),
  }
}

function nameCell(member: Member, layout: ListLayout) {
  const name = fullName(member)
  const below = member.company || member.email
  const link = (
    <CellLink
      to="/members/$memberId"
      params={{ memberId: member.id }}
      data-row-link
      data-initials={layout === "wide" ? initials(name) : undefined}
      className={`${links.link} truncate`}
    >
      {name}
    </CellLink>
  )
  if (layout === "wide") return link
  return (
    <span className={links.beside}>
      <Avatar name={name} />
      <span className={links.lines}>
        {link}
        {below && <span className="caption truncate">{below}</span>}
      </span>
    </span>
  )
}

function pointsCell(member: Member, layout: ListLayout) {
  const [value, sent] = [member.points_balance, rawValue(member, "points_balance")]
  if (layout !== "phone") return plainPoints(value, sent)
  return (
    <span className={links.lines}>
      <Points value={value} sent={sent} />
      <span className="caption truncate">
        <Status of="member" value={member.status} />
      </span>
    </span>
  )
}

/** Maximum number of metadata keys offered as columns. */
const mostKeys = 40

/** Tiers and metadata keys of loaded members, each in order of appearance: the service lists neither. */
export function observedIn(members: readonly Member[]) {
  const tiers = members.flatMap(({ tier }) => tier || [])
  const metadataKeys = members.flatMap(({ metadata }) => Object.keys(metadata ?? {}))
  return { tiers: ordered(tiers), metadataKeys: ordered(metadataKeys).slice(0, mostKeys) }
}

function ordered(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted(compareWords)
}
