import { IconAlertTriangle } from "@tabler/icons-react"
import { balanceAfter, type Transaction } from "../../../../contract/program/points.ts"
import { asSent } from "../../../../contract/reading.ts"
import { formatPoints } from "../../../lib/format.ts"
import { AsSent } from "../../../ui/values.tsx"
import { Tooltip } from "../../../ui/tooltip.tsx"
import classes from "./ledger-table.module.css"

/** The balance after a row. Where its two names disagree, both are shown (docs/api/program.md, Transaction). */
export function BalanceAfter({ row }: { row: Transaction }) {
  const { points, disagree } = balanceAfter(row)
  if (points === undefined)
    return <AsSent sent={asSent(row, "balance_after") ?? asSent(row, "new_balance")} />
  if (!disagree || row.new_balance == null) return <span className="l-num">{formatPoints(points)}</span>
  return (
    <Tooltip label="The service sent two balances for this row">
      <span className={classes.disagree}>
        <IconAlertTriangle size={14} stroke={2} aria-label="Two balances:" />
        {formatPoints(points)} or {formatPoints(row.new_balance)}
      </span>
    </Tooltip>
  )
}
