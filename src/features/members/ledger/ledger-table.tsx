import type { Transaction } from "../../../../contract/program/points.ts"
import heads from "../../../ui/table-head.module.css"
import { LedgerRow } from "./ledger-row.tsx"
import classes from "./ledger-table.module.css"

interface LedgerTableProps {
  rows: readonly Transaction[]
  /** Another page is being read: these rows are the ones before. */
  waiting: boolean
}

/** Ledger rows as the service orders them. */
export function LedgerTable({ rows, waiting }: LedgerTableProps) {
  return (
    <table className={classes.table} aria-label="Ledger" aria-busy={waiting}>
      <thead className={`${heads.head} ${heads.stays}`}>
        <tr>
          <th scope="col" className={classes.when}>
            When
          </th>
          <th scope="col" className={classes.type}>
            Type
          </th>
          <th scope="col">Reason</th>
          <th scope="col" className={classes.reference}>
            Reference
          </th>
          <th scope="col" className={classes.points}>
            Points
          </th>
          <th scope="col" className={classes.after}>
            Balance after
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <LedgerRow key={row.transaction_id} row={row} />
        ))}
      </tbody>
    </table>
  )
}
