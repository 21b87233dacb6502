import type { Member } from "../../../../contract/program/member.ts"
import { sees } from "../../../../contract/redaction.ts"
import { can, type Role } from "../../../../contract/roles.ts"
import { millis } from "../../../lib/time.ts"
import { fullName } from "../../../lib/names.ts"
import type { ListColumn } from "../../../lists/list-columns.ts"
import { Status } from "../../../ui/status.tsx"
import { AwardInRow, CutCell, NameCell, PointsCell, TimeCell } from "./member-cells.tsx"

/** A column and the field a role must see for it. */
interface MemberColumn extends ListColumn<Member> {
  readonly field: string
}

const text = (value: string | null | undefined) => (value === null || value === "" ? undefined : value)
const time = (value: string | null | undefined) => {
  const ms = value === null || value === undefined ? Number.NaN : millis(value)
  return Number.isNaN(ms) ? undefined : ms
}

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
    cell: (member) => <CutCell value={member.email} look="text-secondary" />,
  },
  {
    id: "company",
    field: "company",
    label: "Company",
    value: (member) => text(member.company),
    cell: (member) => <CutCell value={member.company} look="text-secondary" />,
  },
  {
    id: "phone",
    field: "phone",
    label: "Phone",
    width: 144,
    hidden: true,
    value: (member) => text(member.phone),
    cell: (member) => <CutCell value={member.phone} look="text-secondary" />,
  },
  {
    id: "tier",
    field: "tier",
    label: "Tier",
    width: 88,
    touch: "tablet",
    value: (member) => text(member.tier),
    cell: (member) => <CutCell value={member.tier} />,
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
    cell: (member) => <TimeCell at={member.updated_at} />,
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
    cell: (member) => <TimeCell at={member.created_at} />,
  },
  {
    id: "id",
    field: "id",
    label: "Id",
    width: 216,
    hidden: true,
    value: (member) => member.id,
    cell: (member) => <CutCell value={member.id} look="l-mono text-secondary" />,
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
    cell: (member) => <CutCell value={shown(member)} look="text-secondary" />,
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
