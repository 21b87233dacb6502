import { Loader, UnstyledButton } from "@mantine/core"
import "@mantine/core/styles/Loader.layer.css"
import { limits } from "../../../../contract/limits.ts"
import { requestsFor } from "../../../api/paging.ts"
import { cost } from "../../../lib/cost.ts"
import { formatCount } from "../../../lib/format.ts"
import classes from "./running-balance.module.css"

interface BalanceSourceProps {
  rowsRead: number
  /** Rows of the whole ledger; undefined where the service gives no total. */
  total: number | undefined
  /** Every row was read. */
  complete: boolean
  reading: boolean
  onReadAll: () => void
}

/** Says which rows the line is drawn from, and offers to read the rest with what that costs. */
export function BalanceSource({ rowsRead, total, complete, reading, onReadAll }: BalanceSourceProps) {
  if (complete) return <>Drawn from all {formatCount(rowsRead)} rows.</>
  const from =
    rowsRead === 0
      ? "The newest rows were not read yet."
      : `Drawn from the ${formatCount(rowsRead)} newest rows.`
  if (reading) {
    return (
      <>
        {from}{" "}
        <output className={classes.reading}>
          <Loader size={12} aria-hidden /> Reading the rest
        </output>
      </>
    )
  }
  const price =
    total === undefined ? "a request for every 100 rows" : cost(requestsFor(total, limits.perPage.max))
  return (
    <>
      {from}{" "}
      <UnstyledButton className="l-link" onClick={onReadAll}>
        Read all {total === undefined ? "" : `${formatCount(total)} `}rows
      </UnstyledButton>{" "}
      <span className="l-num">({price})</span>
    </>
  )
}
