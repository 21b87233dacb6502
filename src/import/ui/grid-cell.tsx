import type { RowView } from "../sheet/sheet-view.ts"
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
  editing: Editing | null
}

/** One cell. A row that is not here yet shows a bar, and takes the focus all the same. */
export function GridCell({ row, column, position, at, active, editing }: GridCellProps) {
  const problems = row?.problems.filter((problem) => problem.column === column.index) ?? []
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
          {row !== undefined && <CellMessage problems={problems} kept={row.kept} />}
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
