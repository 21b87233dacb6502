import { Button, VisuallyHidden } from "@mantine/core"
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconArrowBackUp,
  IconCircleCheck,
  IconEyeOff,
  IconTrash,
} from "@tabler/icons-react"
import { memo, useEffect, useRef, type Ref } from "react"
import { formatCount } from "../lib/format.ts"
import { IconButton } from "../ui/icon-button.tsx"
import classes from "./grid.module.css"
import type { ImportSession } from "./import-session.ts"
import type { CellProblem, RowView } from "./sheet-view.ts"
import type { GridColumn } from "./use-grid.ts"

/** The field in a cell while it is edited. Its keys are the grid's. */
interface Editing {
  readonly text: string
  /** Whether the whole text is selected at first, to be replaced. */
  readonly select: boolean
  readonly onChange: (text: string) => void
  /** The focus went elsewhere: what was typed is kept. */
  readonly onLeave: () => void
}

interface GridRowProps {
  session: ImportSession
  /** Undefined while it is fetched. */
  row: RowView | undefined
  columns: readonly GridColumn[]
  position: number
  /** Index of the cell with the focus among the columns; null in every other row. */
  activeColumn: number | null
  editing: Editing | null
  /** Under the pointer, or touched rather than pointed at. */
  pointed: boolean
  canExclude: boolean
  canDelete: boolean
  /** Rows are as high as the messages in them. */
  measure: Ref<HTMLTableRowElement>
}

/** One row of the grid: its number in the file, its cells, and what can be done with it. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { session, row, columns, position, activeColumn, editing, pointed, canExclude, canDelete, measure } =
    props
  const active = activeColumn !== null
  // The row with the focus has its cells even before it is here, so that the focus has a place.
  if (row === undefined && !active) {
    return (
      <tr className={classes.row} data-index={position} aria-rowindex={position + 2}>
        <th scope="row" aria-colindex={1} className={classes.number}>
          <VisuallyHidden>Row</VisuallyHidden>
        </th>
        <td colSpan={columns.length + 1} aria-colindex={2} aria-label="Not loaded yet">
          <span className={classes.cell}>
            <span className={classes.bar} />
          </span>
        </td>
      </tr>
    )
  }
  const applyFix = ({ column, field, fix }: CellProblem) => {
    if (fix === undefined) return
    if (column === null || row === undefined) void session.fill(field, fix.text)
    else void session.edit([{ id: row.id, column, text: fix.text }])
  }
  return (
    <tr
      ref={measure}
      className={classes.row}
      data-index={position}
      data-standing={row?.standing}
      // The header is the first row.
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
          onFix={applyFix}
        />
      ))}
      <td aria-colindex={columns.length + 2} className={classes.ends}>
        {row !== undefined && (
          <RowActions
            session={session}
            row={row}
            offered={pointed || active}
            reachable={active}
            canExclude={canExclude}
            canDelete={canDelete}
          />
        )}
      </td>
    </tr>
  )
})

interface GridCellProps extends Pick<GridRowProps, "row" | "position" | "editing"> {
  column: GridColumn
  /** Index among the columns shown. */
  at: number
  active: boolean
  /** Whether Tab reaches the buttons: those of the row with the focus. */
  reachable: boolean
  onFix: (problem: CellProblem) => void
}

function GridCell({ row, column, position, at, active, reachable, editing, onFix }: GridCellProps) {
  // What no column holds, such as one amount for all rows, is shown in the first cell.
  const problems =
    row?.problems.filter((problem) => (problem.column ?? (at === 0 ? column.index : -1)) === column.index) ??
    []
  const severity = problems.some((each) => each.severity === "problem") ? "problem" : problems[0]?.severity
  const { end = false, mono = false, label = column.name } = column.spec ?? {}
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
      {editing !== null ? (
        <CellEditor
          label={`${label}, row ${row?.number ?? position + 1}`}
          end={end}
          mono={mono}
          {...editing}
        />
      ) : (
        <span className={classes.cell}>
          {row === undefined ? (
            <span className={classes.bar} />
          ) : (
            <span className={classes.value} data-mono={mono || undefined}>
              {row.shown[column.index]}
            </span>
          )}
          {problems.map((problem) => (
            <CellMessage
              key={`${problem.severity} ${problem.text}`}
              problem={problem}
              accepted={row?.kept === true && problem.severity === "check"}
              row={row?.number ?? 0}
              reachable={reachable}
              onFix={onFix}
            />
          ))}
        </span>
      )}
    </td>
  )
}

function CellEditor({
  label,
  end,
  mono,
  text,
  select,
  onChange,
  onLeave,
}: Editing & { label: string; end: boolean; mono: boolean }) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
    if (select) field.current?.select()
  }, [select])
  return (
    <input
      ref={field}
      className={classes.editor}
      aria-label={label}
      data-end={end || undefined}
      data-mono={mono || undefined}
      value={text}
      autoComplete="off"
      spellCheck={false}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onBlur={onLeave}
    />
  )
}

/** What is wrong in a cell, on its own line under it, with what would be right where that is known. */
function CellMessage({
  problem,
  accepted,
  row,
  reachable,
  onFix,
}: Pick<GridCellProps, "reachable" | "onFix"> & { problem: CellProblem; accepted: boolean; row: number }) {
  const { severity, text, fix } = problem
  const Icon = accepted ? IconCircleCheck : severity === "problem" ? IconAlertCircle : IconAlertTriangle
  return (
    <span className={classes.message}>
      <Icon size={14} stroke={2} aria-hidden />
      <span>
        {text}
        {accepted && ", kept"}
        {fix !== undefined && !accepted && (
          <Button
            className={classes.fix}
            size="compact-xs"
            variant="default"
            tabIndex={reachable ? 0 : -1}
            aria-label={`${fix.label} in row ${row}`}
            onClick={() => onFix(problem)}
          >
            {fix.label}
          </Button>
        )}
      </span>
    </span>
  )
}

interface RowActionsProps {
  session: ImportSession
  row: RowView
  offered: boolean
  reachable: boolean
  canExclude: boolean
  canDelete: boolean
}

/** What can be done with a row as a whole. A row that has to be confirmed always shows its choice. */
function RowActions({ session, row, offered, reachable, canExclude, canDelete }: RowActionsProps) {
  const { id, number, standing, kept } = row
  if (!offered && standing !== "check" && standing !== "out") return null
  const action = (label: string, Icon: typeof IconTrash, onClick: () => void) => (
    <IconButton
      label={label}
      tabIndex={reachable ? 0 : -1}
      icon={<Icon size={16} stroke={1.75} />}
      onClick={onClick}
    />
  )
  return (
    <span className={classes.actions}>
      {standing === "check" && (
        <Button
          size="xs"
          variant="subtle"
          tabIndex={reachable ? 0 : -1}
          aria-label={kept ? `Exclude row ${number}` : `Keep row ${number}`}
          onClick={() => void session.decide([id], kept ? "leave" : "keep")}
        >
          {kept ? "Exclude" : "Keep"}
        </Button>
      )}
      {standing === "ready" &&
        canExclude &&
        action(`Exclude row ${number}`, IconEyeOff, () => void session.decide([id], "leave"))}
      {standing === "out" &&
        action(`Include row ${number} again`, IconArrowBackUp, () => void session.decide([id], null))}
      {canDelete && action(`Delete row ${number}`, IconTrash, () => void session.remove([id]))}
    </span>
  )
}
