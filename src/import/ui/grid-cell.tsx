import type { CellFix } from "../recipes/recipe.ts"
import type { CellProblem, RowView } from "../sheet/sheet-view.ts"
import { CellEditor } from "./cell-editor.tsx"
import { CellMessage } from "./cell-message.tsx"
import classes from "./import-grid.module.css"
import type { GridColumn } from "./shown-columns.ts"

/** A cell while it is edited. */
export interface Editing {
  readonly text: string
  readonly select: boolean
  readonly onChange: (text: string) => void
  readonly onLeave: () => void
}

interface GridCellProps {
  row: RowView | undefined
  column: GridColumn
  position: number
  /** Place among the columns shown. */
  at: number
  active: boolean
  /** Whether the row has the focus. */
  reachable: boolean
  editing: Editing | null
  onFix: (problem: CellProblem, fix: CellFix) => void
}

/** One cell. A row that is not here yet shows a bar, and takes the focus all the same. */
export function GridCell(props: GridCellProps) {
  const { row, column, position, at, active, reachable, editing, onFix } = props
  // What no column holds, such as one amount for all rows, is said in the first cell.
  const problems =
    row?.problems.filter((problem) => (problem.column ?? (at === 0 ? column.index : -1)) === column.index) ??
    []
  const severity = problems.some((problem) => problem.severity === "problem")
    ? "problem"
    : problems[0]?.severity
  const { end = false, mono = false } = column.spec ?? {}
  const name = column.spec?.label ?? column.name
  return (
    <td
      data-cell={`${position}:${at}`}
      data-end={end || undefined}
      data-unused={column.field === null || undefined}
      data-severity={severity === "check" && row?.kept === true ? "kept" : severity}
      aria-colindex={at + 2}
      aria-invalid={severity === "problem" || undefined}
      tabIndex={active && editing === null ? 0 : -1}
    >
      {editing === null ? (
        <span className={classes.cell}>
          {row === undefined ? (
            <span className={classes.bar} />
          ) : (
            <span className={classes.value} data-mono={mono || undefined}>
              {row.shown[column.index]}
            </span>
          )}
          {row !== undefined && (
            <CellMessage
              problems={problems}
              kept={row.kept}
              row={row.number}
              reachable={reachable}
              onFix={onFix}
            />
          )}
        </span>
      ) : (
        <CellEditor
          label={`${name}, row ${row?.number ?? position + 1}`}
          end={end}
          mono={mono}
          {...editing}
        />
      )}
    </td>
  )
}
