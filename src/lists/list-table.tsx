import type { ReactNode } from "react"
import type { ListTable } from "./list-column.ts"
import { ListHead } from "./list-head.tsx"
import { ListRow } from "./list-row.tsx"
import classes from "./list-table.module.css"
import { SkeletonBody } from "./skeleton-body.tsx"
import type { ListLayout } from "./use-list-layout.ts"
import { useRowClicks } from "./use-row-clicks.ts"

interface ListTableViewProps<T extends object> {
  table: ListTable<T>
  /** What it lists; read aloud. */
  label: string
  layout: ListLayout
  nameOf: (row: T) => string
  /** `late`: the first rows have been waited for long enough to show bars in their place. */
  waiting: "no" | "yes" | "late"
  /** The element that scrolls, once it is there; kept in state, because what follows it needs to know when. */
  scroller: HTMLElement | null
  onScroller: (element: HTMLElement | null) => void
  /** Leaves room at the end for the selection bar. */
  raised: boolean
  /** In place of rows: an empty state. */
  empty?: ReactNode
  /** What is opened below a row; null for a row that is closed. */
  detailOf?: (row: T) => ReactNode
  /** In place of the body: one that draws only the rows in view. */
  body?: ReactNode
}

const pickWidth = 48
const leastGrow = 96

/** A list's rows: head that stays, one line a row, the table to the page's edges. */
export function ListTableView<T extends object>({
  table,
  label,
  layout,
  nameOf,
  waiting,
  scroller,
  onScroller,
  raised,
  empty,
  detailOf,
  body,
}: ListTableViewProps<T>) {
  const columns = table.getVisibleLeafColumns().map((column) => column.columnDef.meta)
  const growing = columns.some((look) => look?.width === undefined)
  const picking = table.options.enableRowSelection !== false
  const least = columns.reduce((sum, look) => sum + (look?.width ?? leastGrow), picking ? pickWidth : 0)
  const rows = table.getRowModel().rows
  useRowClicks(scroller)
  return (
    <div
      ref={onScroller}
      className={classes.scroller}
      data-raised={raised || undefined}
      data-scroll-restoration-id={`list-${label}`}
    >
      <table
        className={classes.table}
        data-layout={layout}
        aria-label={label}
        aria-busy={waiting !== "no"}
        {...(body === undefined ? {} : { "aria-rowcount": rows.length + 1 })}
        style={{ minWidth: layout === "phone" ? "100%" : least }}
      >
        <colgroup>
          {picking && <col style={{ width: pickWidth }} />}
          {columns.map((look, index) => {
            // Without a column that shares what remains, the first one takes it.
            const grows = look?.width === undefined || (!growing && index === 0)
            return <col key={look?.label} style={grows ? {} : { width: look.width }} />
          })}
        </colgroup>
        <ListHead table={table} />
        {waiting === "late" ? (
          <SkeletonBody columns={columns} picking={picking} />
        ) : (
          (body ?? (
            <tbody>
              {rows.map((row) => (
                <ListRow
                  key={row.id}
                  table={table}
                  row={row}
                  nameOf={nameOf}
                  detail={detailOf?.(row.original)}
                />
              ))}
            </tbody>
          ))
        )}
      </table>
      {waiting === "no" && rows.length === 0 && empty}
    </div>
  )
}
