import { Loader, UnstyledButton } from "@mantine/core"
import { limits } from "../../../../contract/limits.ts"
import { requestsFor } from "../../../api/paging.ts"
import { cost, formatCount } from "../../../lib/format.ts"
import classes from "./running-balance.module.css"

interface BalanceSourceProps {
  /** Rows the line is drawn from; undefined while none was read. */
  rowsRead: number | undefined
  /** Rows on a page of the ledger. */
  pageSize: number
  /** Rows of the whole ledger; undefined where the service gives no total. */
  total: number | undefined
  /** Every row was read. */
  complete: boolean
  reading: boolean
  onReadNewest: () => void
  onReadAll: () => void
}

/** Says which rows the line is drawn from, and offers to read more with what that costs. */
export function BalanceSource(props: BalanceSourceProps) {
  const { rowsRead, pageSize, total, complete, reading, onReadNewest, onReadAll } = props
  if (reading) {
    return (
      <output className={classes.reading}>
        <Loader size={12} aria-hidden /> Reading rows
      </output>
    )
  }
  if (rowsRead === undefined) {
    return (
      <>
        Drawn from the newest rows, which the filters leave out.{" "}
        <UnstyledButton className="l-link" onClick={onReadNewest}>
          Read the {formatCount(pageSize)} newest rows
        </UnstyledButton>{" "}
        <span className="l-num">({cost(1)})</span>
      </>
    )
  }
  if (complete) return <>Drawn from all {formatCount(rowsRead)} rows.</>
  const price =
    total === undefined ? "one request per 100 rows" : cost(requestsFor(total, limits.perPage.max))
  return (
    <>
      Drawn from the {formatCount(rowsRead)} newest rows.{" "}
      <UnstyledButton className="l-link" onClick={onReadAll}>
        Read all {total === undefined ? "" : `${formatCount(total)} `}rows
      </UnstyledButton>{" "}
      <span className="l-num">({price})</span>
    </>
  )
}
