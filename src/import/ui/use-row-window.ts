import { useEffect, useState } from "react"
import type { ImportSession } from "../session/import-session.ts"
import type { RowView } from "../sheet/sheet-view.ts"

/** Rows that are fetched above and below those in view. */
const margin = 60

interface Held {
  readonly from: number
  readonly rows: readonly RowView[]
  readonly revision: number
}

/** The rows in view, out of a sheet that holds them all elsewhere. Old rows stay until the new ones are there. */
export interface RowWindow {
  readonly rowAt: (position: number) => RowView | undefined
  /** Shows a text at once that the sheet has yet to check. */
  readonly write: (id: number, column: number, text: string) => void
}

/**
 * Fetches rows as they come into view, and again when the sheet changes.
 * @param first place of the first row in view
 * @param last place of the last one
 */
export function useRowWindow(session: ImportSession, first: number, last: number): RowWindow {
  const [held, setHeld] = useState<Held>({ from: 0, rows: [], revision: -1 })
  const { window } = session
  const { revision, shown } = session.state
  const end = Math.min(last, shown - 1)
  const covered = held.from <= first && end < held.from + held.rows.length
  const fresh = covered && held.revision === revision
  useEffect(() => {
    if (fresh || shown === 0) return undefined
    let wanted = true
    const from = Math.max(0, first - margin)
    const fetchRows = async () => {
      const rows = await window(from, last - from + margin)
      if (wanted) setHeld({ from, rows, revision })
    }
    // The sheet may be closed meanwhile.
    fetchRows().catch(() => {})
    return () => {
      wanted = false
    }
  }, [window, fresh, first, last, revision, shown])

  return {
    rowAt: (position) => held.rows[position - held.from],
    write(id, column, text) {
      setHeld((now) => ({
        ...now,
        rows: now.rows.map((row) => (row.id === id ? written(row, column, text) : row)),
      }))
    },
  }
}

function written(row: RowView, column: number, text: string): RowView {
  return {
    ...row,
    texts: row.texts.with(column, text),
    shown: row.shown.with(column, text),
    problems: row.problems.filter((problem) => problem.column !== column),
  }
}
