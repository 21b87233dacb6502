import { VisuallyHidden } from "@mantine/core"
import { memo, type Ref } from "react"
import { formatCount } from "../../lib/format.ts"
import type { ImportSession } from "../session/import-session.ts"
import type { RowView } from "../sheet/sheet-view.ts"
import { GridCell, type Editing } from "./grid-cell.tsx"
import classes from "./import-grid.module.css"
import { RowActions } from "./row-actions.tsx"
import type { GridColumn } from "./shown-columns.ts"

interface GridRowProps {
  session: ImportSession
  row: RowView | undefined
  columns: readonly GridColumn[]
  position: number
  /** Place of the active cell among the columns; null in every other row. */
  activeColumn: number | null
  editing: Editing | null
  /** Under the pointer, or touched rather than pointed at. */
  pointed: boolean
  /** Rows are as high as what has to be said in them. */
  measure: Ref<HTMLTableRowElement>
}

/** One row of the grid: its number in the file, its cells, and what can be done with it. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { session, row, columns, position, activeColumn, editing, pointed, measure } = props
  const active = activeColumn !== null
  // The row with the focus has its cells even before it is here, so that the focus has a place.
  if (row === undefined && !active) return <WaitingRow position={position} columns={columns.length} />
  return (
    <tr
      ref={measure}
      className={classes.row}
      data-index={position}
      data-standing={row?.standing}
      // The head is the first row.
      aria-rowindex={position + 2}
    >
      <th scope="row" aria-colindex={1} className={classes.number}>
        {row === undefined ? "" : formatCount(row.number)}
      </th>
      {columns.map((column, at) => (
        <GridCell
          key={column.index}
          row={row}
          column={column}
          position={position}
          at={at}
          active={activeColumn === at}
          reachable={active}
          editing={activeColumn === at ? editing : null}
          onFix={({ column: held, field }, { text }) =>
            void (held === null || row === undefined
              ? session.fill(field, text)
              : session.edit([{ id: row.id, column: held, text }]))
          }
        />
      ))}
      <td aria-colindex={columns.length + 2} className={classes.ends}>
        {row !== undefined && (
          <RowActions session={session} row={row} offered={pointed || active} reachable={active} />
        )}
      </td>
    </tr>
  )
})

/** A row in view that is not here yet. */
function WaitingRow({ position, columns }: { position: number; columns: number }) {
  return (
    <tr className={classes.row} data-index={position} aria-rowindex={position + 2}>
      <th scope="row" aria-colindex={1} className={classes.number}>
        <VisuallyHidden>Row</VisuallyHidden>
      </th>
      <td colSpan={columns + 1} aria-colindex={2} aria-label="Not loaded yet">
        <span className={classes.cell}>
          <span className={classes.bar} />
        </span>
      </td>
    </tr>
  )
}
