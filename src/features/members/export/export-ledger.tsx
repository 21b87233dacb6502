import { transactionListReader, type TransactionListQuery } from "../../../../contract/program/points.ts"
import { apiPath } from "../../../api/request.ts"
import { DownloadDialog, exportTask } from "../../../lists/download.tsx"
import { ExportCost } from "./export-cost.tsx"
import { ledgerCells, ledgerColumns } from "./member-cells.ts"

interface ExportLedgerProps {
  memberId: string
  /** Name of the member, for the file. */
  name: string
  /** What narrows the ledger, as the page has it: type and times. */
  filter: Pick<TransactionListQuery, "type" | "from" | "to">
  /** Rows it matches, where the page knows. */
  total: number | undefined
  onClose: () => void
}

/** Exports a member's ledger with the tab's filters. Open while it is mounted; needs `exports.people`. */
export function ExportLedger({ memberId, name, filter, total, onClose }: ExportLedgerProps) {
  const narrowed = Object.keys(filter).length > 0
  return (
    <DownloadDialog
      title={`Export the ledger of ${name}`}
      action="Export the ledger"
      ready={total !== 0}
      task={() =>
        exportTask({
          name: `Ledger of ${name}`,
          body: { kind: "ledger", member_id: memberId, filter: textOf(filter) },
          path: apiPath("program", "members", memberId, "transactions"),
          query: { ...filter },
          schema: transactionListReader.tolerant,
          idOf: (row) => row.transaction_id,
          columns: ledgerColumns,
          cellsOf: (rows) => rows.map(ledgerCells),
          total,
        })
      }
      onClose={onClose}
    >
      <p>
        A CSV file with {narrowed ? "the ledger rows that match the filters in use" : "every ledger row"}. Who
        exported it, and when, is in the audit log.
      </p>
      <ExportCost total={total} />
    </DownloadDialog>
  )
}

function textOf(filter: ExportLedgerProps["filter"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
