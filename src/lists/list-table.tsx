import { IconArrowDown, IconArrowUp } from "@tabler/icons-react"
import type { Row } from "@tanstack/react-table"
import {
  type ComponentProps,
  lazy,
  type ReactNode,
  type Ref,
  Suspense,
  useEffect,
  useState,
  useSyncExternalStore,
} from "react"
import { forgetChanged, justChanged } from "../lib/external-value.ts"
import type { ColumnLook, ListFeatures, ListLayout, ListTable } from "./list-columns.ts"
import classes from "./list-table.module.css"

const VirtualBody = lazy(async () => ({ default: (await import("./virtual-body.tsx")).VirtualBody }))

const pickWidth = 48
const restBeforeIntent = 100
const leastGrow = 96

/** A list's rows: head that stays, one line a row, the table to the page's edges. */
export function ListTableView<T extends object>(props: {
  table: ListTable<T>
  label: string
  layout: ListLayout
  nameOf: (row: T) => string
  /** `late`: the first rows have been waited for long enough to show bars in their place. */
  waiting: "no" | "yes" | "late"
  raised: boolean
  empty?: ReactNode
  detailOf?: ((row: T) => ReactNode) | undefined
  virtual?: boolean | undefined
  onIntent?: (() => void) | undefined
}) {
  const { table, label, layout, nameOf, waiting, raised, detailOf, virtual = false } = props
  // Kept in state, because what follows it needs to know when it is there.
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const columns = table.getVisibleLeafColumns().map((column) => column.columnDef.meta)
  const growing = columns.some((look) => look?.width === undefined)
  const picking = table.options.enableRowSelection !== false
  const least = columns.reduce((sum, look) => sum + (look?.width ?? leastGrow), picking ? pickWidth : 0)
  const rows = table.getRowModel().rows
  useRowEvents(scroller, props.onIntent)
  return (
    <div
      ref={setScroller}
      className={classes.scroller}
      data-raised={raised || undefined}
      data-scroll-restoration-id={`list-${label}`}
    >
      <table
        className={classes.table}
        data-layout={layout}
        aria-label={label}
        aria-busy={waiting !== "no"}
        aria-rowcount={virtual ? rows.length + 1 : undefined}
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
        {waiting === "late" && <SkeletonBody columns={columns} picking={picking} />}
        {waiting !== "late" && virtual && (
          <Suspense>
            <VirtualBody
              rows={rows}
              scroller={scroller}
              renderRow={(index, ref) => {
                const row = rows[index]
                return row && <ListRow {...{ table, row, nameOf, index, ref }} />
              }}
            />
          </Suspense>
        )}
        {waiting !== "late" && !virtual && (
          <tbody>
            {rows.map((row) => (
              <ListRow key={row.id} {...{ table, row, nameOf }} detail={detailOf?.(row.original)} />
            ))}
          </tbody>
        )}
      </table>
      {waiting === "no" && rows.length === 0 && props.empty}
    </div>
  )
}

/** A checkbox in a row or a header: 16 px to see, the whole cell to hit. `some` of what it stands for is selected. */
export function Check(props: ComponentProps<"input"> & { label: string; some?: boolean }) {
  const { label, some = false, ...input } = props
  return (
    <label className={classes.hit}>
      <input
        type="checkbox"
        className={classes.box}
        aria-label={label}
        {...input}
        ref={(box) => {
          if (box !== null) box.indeterminate = some && input.checked !== true
        }}
      />
    </label>
  )
}

const shown = 2000

function useJustChanged(id: string): boolean {
  const changed = useSyncExternalStore(justChanged.subscribe, () => justChanged.get().has(id))
  useEffect(() => {
    if (!changed) return undefined
    const timer = setTimeout(() => forgetChanged(id), shown)
    return () => clearTimeout(timer)
  }, [changed, id])
  return changed
}

const ownUse = "a, button, input, label, select, textarea, summary"

/**
 * Lets the parts of a row that lie above its link (text with a tooltip) act as the link: a plain click opens the
 * record, with Ctrl, Cmd, Shift or the middle button in another tab. Somebody who rests on a row seems about to open it.
 */
function useRowEvents(rows: HTMLElement | null, onIntent: (() => void) | undefined): void {
  useEffect(() => {
    const until = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = () => clearTimeout(timer)
    const rest = ({ target }: Event) => {
      stop()
      if (onIntent !== undefined && target instanceof Element && target.closest("[data-row]") !== null)
        timer = setTimeout(onIntent, restBeforeIntent)
    }
    until.signal.addEventListener("abort", stop)
    rows?.addEventListener("click", follow, until)
    rows?.addEventListener("auxclick", follow, until)
    rows?.addEventListener("pointerover", rest, until)
    rows?.addEventListener("focusin", rest, until)
    rows?.addEventListener("pointerleave", stop, until)
    return () => until.abort()
  }, [rows, onIntent])
}

/** Text that is being selected opens nothing. */
function follow(event: MouseEvent): void {
  const { target } = event
  if (event.defaultPrevented || !(target instanceof Element) || target.closest(ownUse) !== null) return
  const link = target.closest("[data-row]")?.querySelector<HTMLElement>("[data-row-link]")
  if (event.type === "auxclick") {
    if (event.button === 1 && link instanceof HTMLAnchorElement) open(link.href, "_blank", "noopener")
  } else if (getSelection()?.isCollapsed !== false) {
    const { ctrlKey, metaKey, shiftKey } = event
    link?.dispatchEvent(
      new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }),
    )
  }
}

function ListHead<T extends object>({ table }: { table: ListTable<T> }) {
  const [group] = table.getHeaderGroups()
  const all = table.getIsAllRowsSelected()
  return (
    <thead className="table-head" data-sticky>
      <tr>
        {table.options.enableRowSelection !== false && (
          <th scope="col" className={classes.pick}>
            <Check
              label="Select every row shown"
              checked={all}
              some={table.getIsSomeRowsSelected()}
              onChange={() => table.toggleAllRowsSelected(!all)}
            />
          </th>
        )}
        {group?.headers.map((header) => {
          const { column } = header
          const sorted = column.getIsSorted()
          return (
            <th
              key={header.id}
              scope="col"
              data-end={column.columnDef.meta?.end || undefined}
              {...(sorted === false ? {} : { "aria-sort": sorted === "asc" ? "ascending" : "descending" })}
            >
              {column.getCanSort() ? (
                <button type="button" className={classes.sort} onClick={() => column.toggleSorting()}>
                  <table.FlexRender header={header} />
                  {sorted === "asc" && <IconArrowUp size={12} stroke={2} aria-hidden />}
                  {sorted === "desc" && <IconArrowDown size={12} stroke={2} aria-hidden />}
                </button>
              ) : (
                <table.FlexRender header={header} />
              )}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

/** One row. Its link (`data-row-link`) is in one of its cells and reaches over the whole row. */
function ListRow<T extends object>(props: {
  table: ListTable<T>
  row: Row<ListFeatures, T>
  nameOf: (row: T) => string
  detail?: ReactNode
  index?: number
  ref?: Ref<HTMLTableRowElement>
}) {
  const { table, row, nameOf, detail = null, index, ref } = props
  const selected = row.getIsSelected()
  const changed = useJustChanged(row.id)
  const picking = table.options.enableRowSelection !== false
  const cells = row.getVisibleCells()
  const open = detail !== null
  return (
    <>
      <tr
        ref={ref}
        className={classes.row}
        data-row={row.id}
        data-selected={selected || undefined}
        data-changed={changed || undefined}
        data-open={open || undefined}
        {...(index === undefined ? {} : { "data-index": index, "aria-rowindex": index + 2 })}
      >
        {picking && (
          <td className={classes.pick}>
            <Check
              label={`Select ${nameOf(row.original)}`}
              checked={selected}
              onChange={row.getToggleSelectedHandler()}
            />
          </td>
        )}
        {cells.map((cell) => (
          // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a cell, not a control
          <td key={cell.id} data-end={cell.column.columnDef.meta?.end || undefined}>
            <table.FlexRender cell={cell} />
          </td>
        ))}
      </tr>
      {open && (
        <tr className={classes.detail}>
          <td colSpan={cells.length + (picking ? 1 : 0)}>{detail}</td>
        </tr>
      )}
    </>
  )
}

function SkeletonBody(props: { columns: readonly (ColumnLook | undefined)[]; picking: boolean }) {
  const { columns, picking } = props
  return (
    <tbody aria-hidden>
      {Array.from({ length: 12 }, (_, row) => (
        <tr key={row} className={classes.row}>
          {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a hidden cell, not a control */}
          {picking && <td className={classes.pick} />}
          {columns.map((look, column) => (
            // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a hidden cell, not a control
            <td key={look?.label} data-end={look?.end || undefined}>
              <span className="skeleton" style={{ width: `${45 + ((row * 17 + column * 29) % 40)}%` }} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}
