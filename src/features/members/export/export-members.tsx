import { memberListReader } from "../../../../contract/program/member.ts"
import type { MemberFilter } from "../../../api/members.ts"
import { apiPath } from "../../../api/request.ts"
import { formatCount } from "../../../lib/format.ts"
import { isoDayOf } from "../../../lib/time.ts"
import { DownloadDialog, exportTask } from "../../../lists/download.tsx"
import { ExportCost } from "./export-cost.tsx"
import { memberCells, memberColumns, metadataColumns } from "./member-cells.ts"

interface ExportMembersProps {
  /** What narrows the list, as the page has it. */
  filter: MemberFilter
  /** Members it matches, where the page knows. */
  total: number | undefined
  onClose: () => void
}

/** Exports every member that matches the list's filters. Open while it is mounted; needs `exports.people`. */
export function ExportMembers({ filter, total, onClose }: ExportMembersProps) {
  const narrowed = Object.keys(filter).length > 0
  const count = total === undefined ? "members" : total === 1 ? "1 member" : `${formatCount(total)} members`
  return (
    <DownloadDialog
      title="Export members"
      action={`Export ${count}`}
      ready={total !== 0}
      task={() =>
        exportTask({
          name: `Members ${isoDayOf(Date.now())}`,
          body: { kind: "members", filter: textOf(filter) },
          path: apiPath("program", "members"),
          query: { ...filter },
          schema: memberListReader.tolerant,
          idOf: (member) => member.id,
          columns: memberColumns,
          furtherOf: metadataColumns,
          cellsOf: (rows, further) => rows.map((member) => memberCells(member, further)),
          total,
        })
      }
      onClose={onClose}
    >
      <p>
        A CSV file with {narrowed ? "the members that match the filters in use" : "every member"}. It has
        people’s data in it: who exported it, and when, is in the audit log.
      </p>
      <ExportCost total={total} />
    </DownloadDialog>
  )
}

/** The filters in use, for the log. */
function textOf(filter: MemberFilter): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
