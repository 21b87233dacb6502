import { CellLink } from "../../../ui/record-link.tsx"
import { type MemberSortField, memberSortFields } from "../../../../contract/copy.ts"
import { customSort } from "../../../../contract/members.ts"
import type { Member } from "../../../../contract/program/member.ts"
import { memberDetailNames, memberDetails } from "../../../../contract/program/member-fields.ts"
import { rawValue } from "../../../../contract/reading.ts"
import { sees } from "../../../../contract/redaction.ts"
import type { Role } from "../../../../contract/roles.ts"
import { fullName, initials } from "../../../lib/names.ts"
import { millis } from "../../../lib/time.ts"
import { compareWords, layoutOf, type ListCell, type ListColumn } from "../../../lists/list-columns.ts"
import links from "../../../lists/list-table.module.css"
import { Status } from "../../../ui/status.tsx"
import { Avatar, Points, RelativeTime } from "../../../ui/values.tsx"

type MemberColumn = ListColumn<Member> & { readonly id: string; readonly field: string }
type Options = Omit<Partial<ListColumn<Member>>, "id" | "header">

function textColumn(
  header: string,
  field: string,
  textOf: (member: Member) => string | null | undefined,
  { meta, ...rest }: Options = {},
): MemberColumn {
  return {
    id: field,
    field,
    header,
    accessorFn: (member: Member) => textOf(member) || undefined,
    meta: { className: "text-secondary", ...meta },
    ...rest,
  }
}

function timeColumn(
  header: string,
  id: string,
  field: "updated_at" | "created_at",
  meta: ListColumn<Member>["meta"],
): MemberColumn {
  return {
    id,
    field,
    header,
    size: 136,
    sortDescFirst: true,
    accessorFn: ({ [field]: at }: Member) => (at == null ? undefined : millis(at) || undefined),
    cell: ({ row }: ListCell<Member>) => <RelativeTime at={row.original[field]} />,
    meta: { align: "end", className: "text-muted", ...meta },
  }
}

const documented: readonly MemberColumn[] = [
  {
    id: "name",
    field: "id",
    header: "Member",
    size: 200,
    accessorFn: fullName,
    cell: nameCell(({ company, email }) => company || email),
    meta: { minLayout: "phone" },
  },
  textColumn("E-mail", "email", ({ email }) => email),
  ...memberDetailNames.map((name) => {
    const { label, column } = memberDetails[name]
    const { size, ...meta } = column
    return textColumn(label, name, (member) => member[name], {
      ...(size !== undefined && { size }),
      ...(name === "company" && { cell: CompanyCell }),
      meta,
    })
  }),
  textColumn("Tier", "tier", ({ tier }) => tier, { size: 88, meta: { minLayout: "tablet", className: "" } }),
  {
    id: "status",
    field: "status",
    header: "Status",
    size: 104,
    accessorFn: (member) => member.status || undefined,
    cell: ({ row }) => <Status of="member" value={row.original.status} />,
    meta: { minLayout: "tablet" },
  },
  {
    id: "points",
    field: "points_balance",
    header: "Points",
    // Wide enough for "Award" and seven digits.
    size: 136,
    sortDescFirst: true,
    accessorFn: (member) => member.points_balance ?? undefined,
    cell: PointsCell,
    meta: { touchWidth: 96, align: "end", minLayout: "phone", hasAction: true },
  },
  timeColumn("Updated", "updated", "updated_at", { minLayout: "tablet", priority: 2 }),
  timeColumn("Created", "created", "created_at", { hidden: true }),
  textColumn("Id", "id", ({ id }) => id, {
    size: 216,
    meta: { hidden: true, className: "l-mono text-secondary" },
  }),
]

function metadataColumn(key: string): MemberColumn {
  const textOf = ({ metadata }: Member) => {
    const value = metadata?.[key] ?? undefined
    return typeof value === "string" ? value : JSON.stringify(value)
  }
  return textColumn(key, customSort + key, textOf, { size: 144, meta: { hidden: true } })
}

/** What the local copy sorts a column by. */
export const sortFields: ReadonlyMap<string, MemberSortField> = new Map(
  documented.flatMap(({ id, field }) => {
    const name = memberSortFields.find((each) => each === id || each === field)
    return name === undefined ? [] : [[id, name]]
  }),
)

const isSorted = ({ id = "" }: ListColumn<Member>) => sortFields.has(id) || id.startsWith(customSort)

/**
 * The columns a role sees, plus the `metadataKeys`. Fulfilment sees only names and ids, so the id is visible by
 * default and shares the width. `copied`: rows come sorted from the local copy.
 */
export function memberColumns(
  role: Role,
  metadataKeys: readonly string[],
  copied: boolean,
): readonly ListColumn<Member>[] {
  const own: readonly ListColumn<Member>[] = documented.filter(({ field }) => sees("member", role, field))
  const shown =
    own.length > 2
      ? own
      : own.map(({ size: _size, meta, ...column }) => ({
          ...column,
          meta: { ...meta, hidden: false, minLayout: "phone" as const },
        }))
  const all = sees("member", role, "metadata") ? [...shown, ...metadataKeys.map(metadataColumn)] : shown
  return copied ? all.map((column) => ({ ...column, enableSorting: isSorted(column) })) : all
}

/** Awards points to a member from its row. */
export function AwardLink({ member }: { member: Member }) {
  return (
    <CellLink
      to="."
      search={(now) => ({ ...now, act: "award", for: member.id })}
      resetScroll={false}
      className={links.action}
      aria-label={`Award points to ${fullName(member)}`}
    >
      Award
    </CellLink>
  )
}

/** The name, in narrow layouts with what tells members apart below. */
function nameCell(belowOf: (member: Member) => string | null | undefined) {
  return function NameCell({ row: { original: member }, table }: ListCell<Member>) {
    const layout = layoutOf(table)
    const name = fullName(member)
    const below = belowOf(member)
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
      <span className={links.cellParts}>
        <Avatar name={name} />
        <span className={links.lines}>
          {link}
          {below && <span className="caption truncate">{below}</span>}
        </span>
      </span>
    )
  }
}

/** The columns for members of one company: it is named only where its names differ. */
export function companyMemberColumns(role: Role, hasSeveralNames: boolean): readonly ListColumn<Member>[] {
  const columns = memberColumns(role, [], true)
  if (hasSeveralNames) return columns
  return columns
    .filter(({ id }) => id !== "company")
    .map((column) => (column.id === "name" ? { ...column, cell: nameCell(({ email }) => email) } : column))
}

function CompanyCell({ row: { original: member } }: ListCell<Member>) {
  const { company } = member
  if (!company) return null
  return (
    <CellLink to="/companies/$name" params={{ name: company }} className="text-secondary truncate">
      {company}
    </CellLink>
  )
}

function PointsCell({ row: { original: member }, table }: ListCell<Member>) {
  const points = <Points value={member.points_balance} sent={rawValue(member, "points_balance")} />
  if (layoutOf(table) !== "phone") return points
  return (
    <span className={links.lines}>
      {points}
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
