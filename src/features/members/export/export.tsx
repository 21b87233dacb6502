import type { ComponentProps } from "react"
import { limits } from "../../../../contract/limits.ts"
import type { MemberFacetsQuery } from "../../../../contract/members.ts"
import type { LedgerSearchQuery } from "../../../../contract/ledgers.ts"
import { memberFieldNames } from "../../../../contract/program/member-fields.ts"
import { memberListReader, type Member } from "../../../../contract/program/member.ts"
import { balanceAfter, type Transaction, transactionListReader } from "../../../../contract/program/points.ts"
import { requestsFor } from "../../../api/paging.ts"
import { apiPath } from "../../../api/request.ts"
import type { CsvCell } from "../../../lib/csv.ts"
import { counted, timeNeeded, timeSentence } from "../../../lib/format.ts"
import { isoDayOf } from "../../../lib/time.ts"
import { DownloadDialog, exportTask, selectionTask } from "../../../forms/download.tsx"
import { defined } from "../../../lists/list-params.ts"

/**
 * Exports all members that match the list's filters: from the complete local copy (`copied`), else from the service.
 * Open while mounted; needs `exports.people`.
 */
export function ExportMembers(props: {
  filter: MemberFacetsQuery
  copied: boolean
  total: number | undefined
  onClose: () => void
}) {
  const { filter, copied, total, onClose } = props
  return (
    <FilteredExport
      total={total}
      free={copied}
      onClose={onClose}
      title="Export members"
      action={`Export ${total === undefined ? "members" : counted(total, "member")}`}
      task={() =>
        exportTask({
          name: `Members ${isoDayOf(Date.now())}`,
          body: { kind: "members", filter: defined(filter) },
          ...(copied
            ? { path: apiPath("members"), perPage: limits.copyPage }
            : { path: apiPath("program", "members") }),
          query: { ...filter },
          schema: memberListReader.tolerant,
          idOf: (member) => member.id,
          columns: recordFields,
          furtherOf: metadataColumns,
          cellsOf: (rows, further) => rows.map((member) => memberCells(member, further)),
          total,
        })
      }
    >
      A file with {narrows(filter) ? "the members that match the filters in use" : "every member"}. It has
      people’s data in it: who exported it, and when, is in the audit log.
    </FilteredExport>
  )
}

/** Exports the selected members. Open while mounted; needs `exports.people`. */
export function ExportSelectedMembers(props: { members: readonly Member[]; onClose: () => void }) {
  const { members, onClose } = props
  const title = `Export ${counted(members.length, "member")}`
  return (
    <DownloadDialog
      title={title}
      action={title}
      task={() => {
        const further = [...new Set(members.flatMap(metadataColumns))].toSorted()
        return selectionTask({
          name: "Members",
          kind: "members",
          count: members.length,
          columns: recordFields,
          further,
          cells: () => members.map((member) => memberCells(member, further)),
        })
      }}
      onClose={onClose}
    >
      <p>
        A file with the {counted(members.length, "member")} you selected, as shown. It has people’s data in
        it: who exported it, and when, is in the audit log.
      </p>
    </DownloadDialog>
  )
}

/** Exports a member's ledger with the tab's filters: from the local copy (`copied`), else from the service. Open while mounted; needs `exports.people`. */
export function ExportLedger(props: {
  memberId: string
  name: string
  filter: Pick<LedgerSearchQuery, "search" | "type" | "from" | "to">
  copied: boolean
  total: number | undefined
  onClose: () => void
}) {
  const { memberId, name, filter, copied, total } = props
  return (
    <FilteredExport
      total={total}
      free={copied}
      onClose={props.onClose}
      title={`Export the ledger of ${name}`}
      action="Export the ledger"
      task={() =>
        exportTask({
          name: `Ledger of ${name}`,
          body: { kind: "ledger", member_id: memberId, filter: defined(filter) },
          ...(copied
            ? { path: apiPath("transactions"), perPage: limits.copyPage }
            : { path: apiPath("program", "members", memberId, "transactions") }),
          query: { ...(copied && { member_id: memberId }), ...filter },
          schema: transactionListReader.tolerant,
          idOf: (row) => row.transaction_id,
          columns: ledgerColumns,
          cellsOf: (rows) => rows.map(ledgerCells),
          total,
        })
      }
    >
      A file with {narrows(filter) ? "the ledger rows that match the filters in use" : "every ledger row"}.
      Who exported it, and when, is in the audit log.
    </FilteredExport>
  )
}

/** `free`: it takes no requests of the service. */
function FilteredExport(
  props: ComponentProps<typeof DownloadDialog> & { total: number | undefined; free?: boolean },
) {
  const { children, total, free = false, ...dialog } = props
  const time = total === undefined ? "" : timeNeeded(requestsFor(total, limits.perPage.max))
  return (
    <DownloadDialog {...dialog} ready={total !== 0}>
      <p>{children}</p>
      {!free && (
        <p className="text-secondary">
          {timeSentence(time)}Your team’s own work comes first, so it may take longer.
        </p>
      )}
    </DownloadDialog>
  )
}

const narrows = (filter: object) => Object.keys(filter).length > 0

/** Metadata has a column for each key. */
export const recordFields = memberFieldNames.filter((name) => name !== "metadata")
const prefix = "metadata."

/** Column names of a member's metadata, one per key, as the members import reads them. */
export function metadataColumns({ metadata }: Member): string[] {
  return Object.keys(metadata ?? {}).map((key) => prefix + key)
}

/** A member as cells, in column order, then metadata in the order of `metadataColumns`. */
export function memberCells(member: Member, further: readonly string[]): CsvCell[] {
  const metadata = new Map(Object.entries(member.metadata ?? {}))
  return [
    ...recordFields.map((column) => member[column]),
    ...further.map((column) => cellOf(metadata.get(column.slice(prefix.length)))),
  ]
}

function cellOf(value: unknown): CsvCell {
  if (value === null || value === undefined) return undefined
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value
  return JSON.stringify(value)
}

const ledgerColumns = [
  "transaction_id",
  "created_at",
  "type",
  "points",
  "balance_after",
  "reason",
  "reference",
  "member_id",
  "metadata",
] as const

/** A ledger row as cells; the balance after it may have either of its names. */
function ledgerCells({ metadata, ...row }: Transaction): CsvCell[] {
  const known = { ...row, balance_after: balanceAfter(row).points, metadata: undefined }
  const further = cellOf(metadata && Object.keys(metadata).length > 0 ? metadata : undefined)
  return [...ledgerColumns.slice(0, -1).map((column) => known[column]), further]
}
