import { useEffect, useRef } from "react"
import type { ImportSession } from "../../../import/session/import-session.ts"
import type { Mark } from "../../../import/sheet/sheet-command.ts"
import { findMarks, type Known } from "./find-marks.ts"
import type { TrackingRow } from "./tracking-row.ts"

/** Puts what only the orders say on the rows of the sheet, once for what a row holds. */
export function useMarks({ mark }: ImportSession, rows: readonly TrackingRow[], known: Known): void {
  const said = useRef(new Map<number, string>())
  const { types, used } = known
  const { orders, missing } = known.book
  useEffect(() => {
    // Another file: nothing was said about its rows.
    if (rows.length === 0) said.current.clear()
    const fresh: Mark[] = []
    for (const row of rows) {
      const marks = findMarks(row, { book: { orders, missing }, types, used })
      const words = JSON.stringify([row.order_id, row.tracking_number, marks])
      if (said.current.get(row.number) === words) continue
      said.current.set(row.number, words)
      fresh.push(...marks)
    }
    if (fresh.length > 0) void mark(fresh)
  }, [mark, rows, orders, missing, types, used])
}
