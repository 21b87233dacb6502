import { UnstyledButton } from "@mantine/core"
import { useState } from "react"
import { asSent } from "../../../../contract/reading.ts"
import type { Transaction } from "../../../../contract/program/points.ts"
import { Points, RelativeTime } from "../../../ui/values.tsx"
import { Status } from "../../../ui/status.tsx"
import { BalanceAfter } from "./balance-after.tsx"
import classes from "./ledger-table.module.css"
import { RowFacts } from "./row-facts.tsx"

/** One ledger row. Its reason opens everything else the service says about it. */
export function LedgerRow({ row }: { row: Transaction }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <tr className={classes.row} data-open={open || undefined}>
        <td className={classes.when}>
          <RelativeTime at={row.created_at} calendar />
        </td>
        <td className={classes.type}>
          <Status of="transaction" value={row.type} />
        </td>
        <td className={classes.reason}>
          <UnstyledButton
            className={classes.open}
            aria-expanded={open}
            title={row.reason ?? undefined}
            onClick={() => setOpen(!open)}
          >
            {row.reason || <span className="text-muted">No reason given</span>}
          </UnstyledButton>
          <span className={classes.below}>
            <Status of="transaction" value={row.type} />
            <RelativeTime at={row.created_at} calendar />
          </span>
        </td>
        <td className={classes.reference} title={row.reference ?? undefined}>
          {row.reference}
        </td>
        <td className={classes.points}>
          <Points value={row.points} signed sent={asSent(row, "points")} />
          <span className={classes.below}>
            <BalanceAfter row={row} />
          </span>
        </td>
        <td className={classes.after}>
          <BalanceAfter row={row} />
        </td>
      </tr>
      {open && (
        <tr className={classes.facts}>
          <td colSpan={6}>
            <RowFacts row={row} />
          </td>
        </tr>
      )}
    </>
  )
}
