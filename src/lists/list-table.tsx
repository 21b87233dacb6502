import { IconArrowDown, IconArrowUp } from "@tabler/icons-react"
import { useElementScrollRestoration } from "@tanstack/react-router"
import { FlexRender, type Row } from "@tanstack/react-table"
import {
  lazy,
  memo,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type Ref,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react"
import { leastWidth, mostWidth } from "../../contract/views.ts"
import { forgetChanged, useChangedRecords } from "../lib/recent-records.ts"
import {
  type ListFeatures,
  type ListLayout,
  type ListTable,
  type ListTableColumn,
  moveColumn,
  widthOf,
} from "./list-columns.ts"
import classes from "./list-table.module.css"

const VirtualBody = lazy(async () => ({ default: (await import("./virtual-body.tsx")).VirtualBody }))

/** Above this number of rows only those in view are rendered. */
const virtualFrom = 200
export const pickWidth = 48
/** The least width in px of a column that shares the remaining width. */
const leastGrow = 96

/** Whether rows are awaited; `late`: the first ones, for so long that placeholders are shown. */
export type Waiting = "no" | "yes" | "late"

/** The rows of a list as a table with a sticky header. */
export function ListTableView<T extends object>(props: {
  table: ListTable<T>
  label: string
  layout: ListLayout
  /** Rows can be selected; undefined if not. */
  rowName: ((row: T) => string) | undefined
  waiting: Waiting
  /** The selection bar covers the end of the list. */
  raised: boolean
  /** Columns can be moved and resized with the mouse. */
  arrangeable: boolean
  empty?: ReactNode
  rowAction: ((row: T) => ReactNode) | undefined
  renderDetail: ((row: T) => ReactNode) | undefined
}) {
  const { table, label, layout, rowName, waiting, rowAction, renderDetail } = props
  const selectable = rowName !== undefined
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const { rows } = table.getRowModel()
  const columns = table.getVisibleLeafColumns()
  const [resized, setResized] = useState<ResizedColumn>()
  const widths = columns.map((column) => (column.id === resized?.id ? resized.width : widthOf(column)))
  const growing = widths.includes(undefined)
  const least = widths.reduce<number>((sum, width) => sum + (width ?? leastGrow), selectable ? pickWidth : 0)
  // A row with details has two elements, so such lists are rendered whole.
  const virtual = rows.length > virtualFrom && renderDetail === undefined
  const changed = useChangedRows(rows)
  useScrollPosition(scroller, label, rows.length > 0)
  const onFocus = useFocusNextRow(scroller, rows)
  const actionColumn = columns.find(hasAction) ?? columns.findLast((column) => !isAtEnd(column, layout))
  const renderRow = (row: Row<ListFeatures, T>, index?: number, ref?: Ref<HTMLTableRowElement>) => (
    <ListRow
      key={row.id}
      row={row}
      columns={columns}
      layout={layout}
      name={rowName?.(row.original)}
      selected={row.getIsSelected()}
      changed={changed.has(row.id)}
      rowAction={layout === "wide" ? rowAction : undefined}
      actionColumn={(actionColumn ?? columns.at(-1))?.id}
      renderDetail={row.getIsExpanded() ? renderDetail : undefined}
      {...(index !== undefined && { index })}
      {...(ref !== undefined && { ref })}
    />
  )
  return (
    <div
      ref={setScroller}
      className={`grow scroll ${classes.scroller}`}
      data-raised={props.raised || undefined}
      data-scroll-restoration-id={`list-${label}`}
    >
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- keys use the row's link */}
      <table
        className={classes.table}
        data-layout={layout}
        aria-label={label}
        aria-busy={waiting !== "no"}
        aria-rowcount={virtual ? rows.length + 1 : undefined}
        style={{ minWidth: layout === "phone" ? "100%" : least }}
        onFocus={onFocus}
        onClick={openRow}
        onAuxClick={openRow}
      >
        <colgroup>
          {selectable && <col style={{ width: pickWidth }} />}
          {columns.map(({ id }, index) => {
            // Without a column that shares the remaining width, the first one takes it.
            const grows = widths[index] === undefined || (!growing && index === 0)
            return <col key={id} style={grows ? {} : { width: widths[index] }} />
          })}
        </colgroup>
        <ListHead {...{ table, layout, selectable }} arrangeable={props.arrangeable} onResize={setResized} />
        {waiting === "late" && <SkeletonBody columns={columns} layout={layout} selectable={selectable} />}
        {waiting !== "late" &&
          (virtual ? (
            <Suspense>
              <VirtualBody
                count={rows.length}
                scroller={scroller}
                renderRow={(index, ref) => rows[index] && renderRow(rows[index], index, ref)}
              />
            </Suspense>
          ) : (
            <tbody>{rows.map((row) => renderRow(row))}</tbody>
          ))}
      </table>
      {waiting === "no" && rows.length === 0 && props.empty}
    </div>
  )
}

const hasAction = <T extends object>({ columnDef }: ListTableColumn<T>) => columnDef.meta?.hasAction === true

function isAtEnd<T extends object>({ columnDef: { meta } }: ListTableColumn<T>, layout: ListLayout): boolean {
  return meta?.align === "end" || (layout === "phone" && meta?.phoneAlign === "end")
}

const shownFor = 2000

/** Ids of rows that were just created or changed; each is forgotten once it was shown for long enough. */
function useChangedRows(rows: readonly { readonly id: string }[]): ReadonlySet<string> {
  const changed = useChangedRecords((state) => state.ids)
  useEffect(() => {
    if (changed.size === 0) return undefined
    const shown = rows.filter(({ id }) => changed.has(id))
    const timers = shown.map(({ id }) => setTimeout(() => forgetChanged(id), shownFor))
    return () => timers.forEach(clearTimeout)
  }, [changed, rows])
  return changed
}

/** Scrolls back to where the user left the list: the router does so before its rows are loaded. */
function useScrollPosition(scroller: HTMLElement | null, label: string, ready: boolean): void {
  const [top] = useState(useElementScrollRestoration({ id: `list-${label}` })?.scrollY ?? 0)
  useLayoutEffect(() => {
    // oxlint-disable-next-line react/immutability -- a scroll position is not React state
    if (ready && top > 0 && scroller !== null) scroller.scrollTop = top
  }, [scroller, ready, top])
}

/** Moves the focus to the row that takes the place of a removed one. */
function useFocusNextRow(scroller: HTMLElement | null, rows: readonly { readonly id: string }[]) {
  const focused = useRef<{ id: string; index: number }>(undefined)
  const rowIn = (id: string) => scroller?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)
  useEffect(() => {
    const { id, index } = focused.current ?? {}
    if (id === undefined || index === undefined || document.activeElement !== document.body) return
    if (rows.some((row) => row.id === id)) return
    focused.current = undefined
    const next = rows[Math.min(index, rows.length - 1)]
    if (next) rowIn(next.id)?.querySelector<HTMLElement>("[data-row-link]")?.focus({ preventScroll: true })
  })
  return ({ target }: { target: EventTarget }) => {
    const id = target instanceof Element ? target.closest<HTMLElement>("[data-row]")?.dataset.row : undefined
    const index = rows.findIndex((row) => row.id === id)
    focused.current = id === undefined ? undefined : { id, index }
  }
}

const ownUse = "a, button, input, label, select, textarea, summary"

/**
 * The whole row acts as its link: a plain click opens the record, with Ctrl, Cmd, Shift or the middle button in another
 * tab. Selecting text opens nothing.
 */
function openRow(event: MouseEvent): void {
  const { target, ctrlKey, metaKey, shiftKey } = event
  if (event.defaultPrevented || !(target instanceof Element) || target.closest(ownUse) !== null) return
  const link = target.closest("[data-row]")?.querySelector<HTMLElement>("[data-row-link]")
  if (event.type === "auxclick") {
    if (event.button === 1 && link instanceof HTMLAnchorElement) open(link.href, "_blank", "noopener")
  } else if (getSelection()?.isCollapsed !== false) {
    link?.focus({ preventScroll: true })
    const init = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }
    link?.dispatchEvent(new globalThis.MouseEvent("click", init))
  }
}

function ListHead<T extends object>(props: {
  table: ListTable<T>
  layout: ListLayout
  selectable: boolean
  arrangeable: boolean
  onResize: (column: ResizedColumn | undefined) => void
}) {
  const { table, layout, selectable, arrangeable, onResize } = props
  const [moving, setMoving] = useState<{ id: string; over?: string }>()
  const headers = table.getHeaderGroups().flatMap((group) => group.headers)
  const order = headers.map(({ column }) => column.id)
  const all = selectable && table.getIsAllPageRowsSelected()
  const some = selectable && table.getIsSomePageRowsSelected()
  const drop = (target: string) => {
    setMoving(undefined)
    if (moving !== undefined && moving.id !== target) moveColumn(table, moving.id, target)
  }
  return (
    <thead className="table-head" data-sticky data-arranged={arrangeable || undefined}>
      <tr>
        {selectable && (
          <th scope="col" className={classes.pick}>
            <input
              type="checkbox"
              className={classes.box}
              aria-label="Select every row shown"
              checked={all}
              ref={(box) => {
                if (box !== null) box.indeterminate = some && !all
              }}
              onChange={table.getToggleAllPageRowsSelectedHandler()}
            />
          </th>
        )}
        {headers.map(({ id, column }) => {
          const sorted = column.getCanSort() && column.getIsSorted()
          const isTarget = moving !== undefined && moving.over === id && moving.id !== id
          return (
            <th
              key={id}
              scope="col"
              data-column={id}
              data-end={isAtEnd(column, layout) || undefined}
              aria-sort={sorted === false ? undefined : sorted === "asc" ? "ascending" : "descending"}
              data-moving={moving?.id === id || undefined}
              data-drop={
                isTarget ? (order.indexOf(id) < order.indexOf(moving.id) ? "before" : "after") : undefined
              }
              draggable={arrangeable}
              onDragStart={({ dataTransfer }) => {
                dataTransfer.setData("text/plain", id)
                setMoving({ id })
              }}
              onDragOver={(event) => {
                if (moving === undefined) return
                event.preventDefault()
                if (moving.over !== id) setMoving({ ...moving, over: id })
              }}
              onDrop={() => drop(id)}
              onDragEnd={() => setMoving(undefined)}
            >
              <HeadLabel column={column} />
              {arrangeable && <ResizeHandle table={table} columnId={id} onResize={onResize} />}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

function HeadLabel<T extends object>({ column }: { column: ListTableColumn<T> }) {
  const sorted = column.getIsSorted()
  const label = String(column.columnDef.header)
  if (!column.getCanSort()) return label
  return (
    <button type="button" className={classes.sort} onClick={column.getToggleSortingHandler()}>
      {label}
      {sorted === "asc" && <IconArrowUp size={12} stroke={2} aria-hidden />}
      {sorted === "desc" && <IconArrowDown size={12} stroke={2} aria-hidden />}
    </button>
  )
}

/** A column that is being resized, with its width in px. */
interface ResizedColumn {
  readonly id: string
  readonly width: number
}

/**
 * Resizes its column; the width is stored at the end, and Escape restores the one before. TanStack's own handler
 * starts from the declared width, which is not the width of a column that shares the remaining space.
 */
function ResizeHandle<T extends object>(props: {
  table: ListTable<T>
  columnId: string
  onResize: (column: ResizedColumn | undefined) => void
}) {
  const { table, columnId: id, onResize } = props
  const start = (event: PointerEvent<HTMLElement>) => {
    const { button, currentTarget: handle, pointerId, clientX } = event
    const head = handle.closest("th")
    if (button !== 0 || head === null) return
    event.preventDefault()
    handle.setPointerCapture(pointerId)
    const offset = head.offsetWidth - clientX
    let width: number | undefined
    const drag = new AbortController()
    const end = (chosen: number | undefined) => {
      drag.abort()
      onResize(undefined)
      if (chosen !== undefined) table.setColumnSizing((sizes) => ({ ...sizes, [id]: chosen }))
    }
    const onMove = (move: globalThis.PointerEvent) => {
      width = Math.round(Math.min(mostWidth, Math.max(leastWidth, offset + move.clientX)))
      onResize({ id, width })
    }
    const onKey = (key: KeyboardEvent) => {
      if (key.key !== "Escape") return
      // The list would clear its selection.
      key.stopPropagation()
      end(undefined)
    }
    handle.addEventListener("pointermove", onMove, drag)
    // At the document: the handle may be removed meanwhile.
    document.addEventListener("lostpointercapture", () => end(width), drag)
    document.addEventListener("keydown", onKey, { signal: drag.signal, capture: true })
  }
  return <span className={classes.resize} aria-hidden onPointerDown={start} />
}

interface ListRowProps<T extends object> {
  row: Row<ListFeatures, T>
  columns: readonly ListTableColumn<T>[]
  layout: ListLayout
  /** undefined if rows cannot be selected. */
  name: string | undefined
  selected: boolean
  changed: boolean
  rowAction: ((row: T) => ReactNode) | undefined
  actionColumn: string | undefined
  renderDetail: ((row: T) => ReactNode) | undefined
  index?: number
  ref?: Ref<HTMLTableRowElement>
}

/** One row; one of its cells has its link (`data-row-link`). */
const ListRow = memo(PlainRow) as typeof PlainRow

function PlainRow<T extends object>(props: ListRowProps<T>) {
  const { row, columns, layout, name, actionColumn, renderDetail, index, ref } = props
  const action = props.rowAction?.(row.original)
  const open = renderDetail !== undefined
  return (
    <>
      <tr
        ref={ref}
        className={classes.row}
        data-row={row.id}
        data-changed={props.changed || undefined}
        data-open={open || undefined}
        {...(index !== undefined && { "data-index": index, "aria-rowindex": index + 2 })}
      >
        {name !== undefined && (
          <td className={classes.pick}>
            <input
              type="checkbox"
              className={classes.box}
              aria-label={`Select ${name}`}
              checked={props.selected}
              onChange={row.getToggleSelectedHandler()}
            />
          </td>
        )}
        {row.getVisibleCells().map((cell) => {
          const { column } = cell
          const { className } = column.columnDef.meta ?? {}
          const text = cell.getValue()
          const acts = Boolean(action) && column.id === actionColumn
          return (
            <td
              key={cell.id}
              data-end={isAtEnd(column, layout) || undefined}
              className={acts ? `${classes.acting} ${className ?? ""}` : className}
              // A text may be cut off.
              title={column.columnDef.cell === plainText && typeof text === "string" ? text : undefined}
            >
              <FlexRender cell={cell} />
              {acts && action}
            </td>
          )
        })}
      </tr>
      {open && (
        <tr className={classes.detail}>
          <td colSpan={columns.length + (name === undefined ? 0 : 1)}>{renderDetail(row.original)}</td>
        </tr>
      )}
    </>
  )
}

/** The cell of a column that declares none. */
export function plainText({ getValue }: { getValue: () => unknown }): string {
  const value = getValue()
  return typeof value === "string" || typeof value === "number" ? String(value) : ""
}

function SkeletonBody<T extends object>(props: {
  columns: readonly ListTableColumn<T>[]
  layout: ListLayout
  selectable: boolean
}) {
  const { columns, layout, selectable } = props
  return (
    <tbody aria-hidden>
      {Array.from({ length: 12 }, (_, row) => (
        <tr key={row} className={classes.row}>
          {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a hidden cell, not a control */}
          {selectable && <td className={classes.pick} />}
          {columns.map((column, at) => (
            // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a hidden cell, not a control
            <td key={column.id} data-end={isAtEnd(column, layout) || undefined}>
              <span className="skeleton" style={{ width: `${45 + ((row * 17 + at * 29) % 40)}%` }} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}
