import { IconArrowDown, IconArrowUp } from "@tabler/icons-react"
import {
  lazy,
  memo,
  type PointerEvent,
  type ReactNode,
  type Ref,
  startTransition,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react"
import { useElementScrollRestoration } from "@tanstack/react-router"
import { afterPaint } from "../lib/after-paint.ts"
import { forgetChanged, justChanged } from "../lib/external-value.ts"
import { ago, exact, onDay } from "../lib/time.ts"
import {
  type ColumnChange,
  type ListColumn,
  type ListLayout,
  nextSort,
  type Sorting,
  sortRows,
} from "./list-columns.ts"
import type { Selection } from "./selection.tsx"
import { useExternalValue, useServerNow } from "../ui/hooks.ts"
import classes from "./list-table.module.css"

const VirtualBody = lazy(async () => ({ default: (await import("./virtual-body.tsx")).VirtualBody }))

export const pickWidth = 48
const leastGrow = 96

/** A list's rows: head that stays, one line a row, the table to the page's edges. */
export function ListTableView<T extends object>(props: {
  rows: readonly T[]
  idOf: (row: T) => string
  nameOf: (row: T) => string
  /** The columns shown, in their order. */
  columns: readonly ListColumn<T>[]
  /** undefined where nothing can be sorted. */
  sorting: Sorting | undefined
  /** undefined where nothing can be selected. */
  selection: Selection<T> | undefined
  label: string
  layout: ListLayout
  /** `late`: the first rows have been waited for long enough to show bars in their place. */
  waiting: "no" | "yes" | "late"
  raised: boolean
  empty?: ReactNode
  detailOf?: ((row: T) => ReactNode) | undefined
  virtual?: boolean | undefined
  /** Columns can be dragged, and their widths. */
  onArrange?: ((change: ColumnChange) => void) | undefined
}) {
  const { idOf, nameOf, columns, selection, label, layout, waiting, detailOf, virtual = false } = props
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const picking = selection !== undefined
  const growing = columns.some(({ width }) => width === undefined)
  const least = columns.reduce((sum, { width = leastGrow }) => sum + width, picking ? pickWidth : 0)
  const sort = props.sorting?.sort
  const current = useMemo(() => ({ rows: props.rows, sort }), [props.rows, sort])
  const shown = useShownRows(current, waiting !== "no")
  const all = useMemo(() => sortRows(shown.rows, columns, shown.sort), [shown, columns])
  const scrolledTo = useElementScrollRestoration({ id: `list-${label}` })?.scrollY ?? 0
  const drawn = useSlices(all.length, virtual || scrolledTo > 0)
  // What is drawn whole is not copied: it may be a hundred thousand rows.
  const rows = useMemo(() => (drawn < all.length ? all.slice(0, drawn) : all), [drawn, all])
  const onSelect = useRangeSelect(all, selection?.set)
  const tick = useTicks(scroller, selection)
  const changed = useChangedRows(rows, idOf)
  useScrolledBack(scroller, scrolledTo, rows.length > 0)
  useRowEvents(scroller)
  const keys = useElementKeys(scroller, virtual ? noRows : rows, idOf)
  const now = useServerNow("half-minute")
  const rowProps = (row: T): ListRowProps<T> => ({
    id: idOf(row),
    row,
    columns,
    layout,
    now,
    nameOf,
    picking,
    tick,
    onSelect,
    changed: changed.has(idOf(row)),
  })
  return (
    <div
      ref={setScroller}
      className={`grow scroll ${classes.scroller}`}
      data-raised={props.raised || undefined}
      data-scroll-restoration-id={`list-${label}`}
    >
      <table
        className={classes.table}
        data-layout={layout}
        aria-label={label}
        aria-busy={waiting !== "no" || shown !== current}
        aria-rowcount={virtual ? rows.length + 1 : undefined}
        style={{ minWidth: layout === "phone" ? "100%" : least }}
      >
        <colgroup>
          {picking && <col style={{ width: pickWidth }} />}
          {columns.map(({ id, width }, index) => {
            // Without a column that shares what remains, the first one takes it.
            const grows = width === undefined || (!growing && index === 0)
            return <col key={id} style={grows ? {} : { width }} />
          })}
        </colgroup>
        <ListHead
          {...{ columns, rows: all, idOf, selection, sorting: props.sorting, onArrange: props.onArrange }}
        />
        {waiting === "late" && <SkeletonBody columns={columns} picking={picking} />}
        {waiting !== "late" && virtual && (
          <Suspense>
            <VirtualBody
              count={rows.length}
              scroller={scroller}
              renderRow={(index, ref) => {
                const row = rows[index]
                return row && <ListRow key={idOf(row)} {...rowProps(row)} index={index} ref={ref} />
              }}
            />
          </Suspense>
        )}
        {waiting !== "late" && !virtual && (
          <tbody>
            {rows.map((row) => (
              <ListRow key={keys.get(idOf(row))} {...rowProps(row)} detail={detailOf?.(row) ?? null} />
            ))}
          </tbody>
        )}
      </table>
      {waiting === "no" && props.rows.length === 0 && props.empty}
    </div>
  )
}

/**
 * What is drawn of what there is. A click paints its page at once, and rows that are here already follow in slices that
 * give way to the next click. Rows that were waited for are drawn as they come: nothing else has to be painted before.
 */
function useShownRows<T>(current: T, waiting: boolean): T {
  const deferred = useDeferredValue(current)
  const [last, setLast] = useState({ waiting, arrived: current })
  if (last.waiting !== waiting) setLast({ waiting, arrived: current })
  return last.arrived === current ? current : deferred
}

/** Rows drawn before the first paint of a new page, and once that is over: more would hold it up. */
const slices = [6, 30]

/** How many of the rows are drawn: a few that are painted at once, then more than a window holds, then all. */
function useSlices(count: number, whole: boolean): number {
  const [slice, setSlice] = useState(whole ? slices.length : 0)
  useEffect(() => {
    if (slice === slices.length) return
    const next = (slices[slice + 1] ?? 0) < count ? slice + 1 : slices.length
    afterPaint(() => requestAnimationFrame(() => startTransition(() => setSlice(next))))
  }, [slice, count])
  return slices[slice] ?? Infinity
}

/**
 * Ticks the boxes of selected rows, now and as each is drawn (what it returns is its `ref`). No row is drawn again.
 */
function useTicks<T>(table: HTMLElement | null, selection: Selection<T> | undefined) {
  const latest = useRef(selection)
  const tick = useCallback((box: HTMLInputElement | null) => {
    const id = box?.closest<HTMLElement>("[data-row]")?.dataset.row
    if (box !== null && id !== undefined) box.checked = latest.current?.has(id) ?? false
  }, [])
  useLayoutEffect(() => {
    latest.current = selection
    for (const box of table?.querySelectorAll<HTMLInputElement>(`tbody .${classes.box}`) ?? []) tick(box)
  })
  return tick
}

const shownFor = 2000
const noRows: readonly never[] = []

/** Ids of rows just made or changed; each is forgotten when it was shown for long enough. */
function useChangedRows<T>(rows: readonly T[], idOf: (row: T) => string): ReadonlySet<string> {
  const changed = useExternalValue(justChanged)
  useEffect(() => {
    if (changed.size === 0) return undefined
    const timers = rows
      .map(idOf)
      .filter((id) => changed.has(id))
      .map((id) => setTimeout(() => forgetChanged(id), shownFor))
    return () => timers.forEach(clearTimeout)
  }, [changed, rows, idOf])
  return changed
}

type SelectRow<T> = (row: T, selected: boolean, range: boolean) => void

/** Selects a row, or with Shift all from the one before it. It stays the same function: no row is drawn again for it. */
function useRangeSelect<T>(rows: readonly T[], set: Selection<T>["set"] | undefined): SelectRow<T> {
  const before = useRef<T>(undefined)
  const latest = useRef<SelectRow<T>>(undefined)
  useLayoutEffect(() => {
    latest.current = (row, selected, range) => {
      const [from, to] = [before.current, row].map((end) => rows.findIndex((each) => each === end))
      const isRange = range && from !== undefined && from >= 0 && to !== undefined
      set?.(isRange ? rows.slice(Math.min(from, to), Math.max(from, to) + 1) : [row], selected)
      before.current = row
    }
  })
  return useCallback((...how) => latest.current?.(...how), [])
}

/**
 * The key of each row. A row that comes takes over the elements of one that went: changing their texts costs a fraction
 * of making them. Not those that hold the focus: it does not pass from one record to another.
 * When a row goes with the focus, the one that takes its place gets it.
 */
function useElementKeys<T>(
  scroller: HTMLElement | null,
  rows: readonly T[],
  idOf: (row: T) => string,
): ReadonlyMap<string, number> {
  const [last, setLast] = useState<{
    rows: readonly T[]
    keys: ReadonlyMap<string, number>
    next?: string | undefined
  }>(undrawn)
  useEffect(() => {
    if (last.next === undefined || document.activeElement !== document.body) return
    const row = scroller?.querySelector(`[data-row="${CSS.escape(last.next)}"]`)
    row?.querySelector<HTMLElement>("[data-row-link]")?.focus({ preventScroll: true })
  }, [scroller, last.next])
  if (last.rows === rows) return last.keys
  const ids = rows.map(idOf)
  const stay = new Set(ids)
  const focused = document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset.row
  if (focused !== undefined) stay.add(focused)
  const free = [...last.keys].flatMap(([id, key]) => (stay.has(id) ? [] : key))
  let unused = Math.max(-1, ...last.keys.values()) + 1
  const keys = new Map(ids.map((id) => [id, last.keys.get(id) ?? free.shift() ?? unused++]))
  const at =
    focused === undefined || keys.has(focused) ? -1 : last.rows.findIndex((row) => idOf(row) === focused)
  setLast({ rows, keys, next: ids[Math.min(at, ids.length - 1)] })
  return keys
}

const undrawn = { rows: noRows, keys: new Map<string, number>() }

/** Going back finds the place again: the router looks for it before the rows are there. */
function useScrolledBack(scroller: HTMLElement | null, place: number, ready: boolean): void {
  useLayoutEffect(() => {
    if (ready && place > 0 && scroller !== null) scroller.scrollTop = place
    // Only once: from then on it is where the person scrolls it.
    // oxlint-disable-next-line react/exhaustive-deps -- the place is where somebody left, not where they are
  }, [scroller, ready])
}

const ownUse = "a, button, input, label, select, textarea, summary"

// The whole of a row acts as its link: a plain click opens the record, with Ctrl, Cmd, Shift or the middle button in
// another tab.
function useRowEvents(rows: HTMLElement | null): void {
  useEffect(() => {
    const until = new AbortController()
    rows?.addEventListener("click", follow, until)
    rows?.addEventListener("auxclick", follow, until)
    return () => until.abort()
  }, [rows])
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
    link?.focus({ preventScroll: true })
    link?.dispatchEvent(
      new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }),
    )
  }
}

function ListHead<T extends object>(props: {
  columns: readonly ListColumn<T>[]
  rows: readonly T[]
  idOf: (row: T) => string
  selection: Selection<T> | undefined
  sorting: Sorting | undefined
  onArrange: ((change: ColumnChange) => void) | undefined
}) {
  const { columns, rows, idOf, selection, sorting, onArrange } = props
  const press = ({ button, target, clientX, nativeEvent }: PointerEvent<HTMLElement>) => {
    if (button !== 0 || onArrange === undefined || nativeEvent.pointerType === "touch") return
    const order = columns.map(({ id }) => id)
    void import("./arrange-columns.ts").then((code) =>
      code.arrangeColumns({ target, clientX }, order, onArrange),
    )
  }
  const isSelected = (row: T) => selection?.has(idOf(row)) ?? false
  const some = selection !== undefined && selection.rows.length > 0 && rows.some(isSelected)
  const all = some && rows.every(isSelected)
  return (
    <thead className="table-head" data-sticky data-arranged={onArrange !== undefined || undefined}>
      <tr onPointerDown={press}>
        {selection !== undefined && (
          <th scope="col" className={classes.pick}>
            <input
              type="checkbox"
              className={classes.box}
              aria-label="Select every row shown"
              checked={all}
              ref={(box) => {
                if (box !== null) box.indeterminate = some && !all
              }}
              onChange={() => selection.set(rows, !all)}
            />
          </th>
        )}
        {columns.map((column) => {
          const { id, label, end = false, value } = column
          const sorted = sorting?.sort === id ? "ascending" : sorting?.sort === `-${id}` && "descending"
          return (
            <th
              key={id}
              scope="col"
              data-column={id}
              data-end={end || undefined}
              aria-sort={sorted || undefined}
            >
              {sorting === undefined || value === undefined ? (
                label
              ) : (
                <button
                  type="button"
                  className={classes.sort}
                  onClick={() => sorting.onSort(nextSort(column, sorting.sort))}
                >
                  {label}
                  {sorted === "ascending" && <IconArrowUp size={12} stroke={2} aria-hidden />}
                  {sorted === "descending" && <IconArrowDown size={12} stroke={2} aria-hidden />}
                </button>
              )}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

interface ListRowProps<T extends object> {
  id: string
  row: T
  columns: readonly ListColumn<T>[]
  layout: ListLayout
  /** For how long ago something was, in ms. */
  now: number
  nameOf: (row: T) => string
  /** Rows can be selected; `tick` shows whether this one is. */
  picking: boolean
  tick: (box: HTMLInputElement | null) => void
  onSelect: SelectRow<T>
  changed: boolean
  detail?: ReactNode
  index?: number
  ref?: Ref<HTMLTableRowElement>
}

/** One row, drawn again only when something of it changes. Its link (`data-row-link`) is in one of its cells. */
const ListRow = memo(PlainRow) as typeof PlainRow

function PlainRow<T extends object>(props: ListRowProps<T>) {
  const { id, row, columns, picking, tick, onSelect, changed, detail = null, index, ref } = props
  const open = detail !== null
  return (
    <>
      <tr
        ref={ref}
        className={classes.row}
        data-row={id}
        data-changed={changed || undefined}
        data-open={open || undefined}
        {...(index === undefined ? {} : { "data-index": index, "aria-rowindex": index + 2 })}
      >
        {picking && (
          <td className={classes.pick}>
            <input
              type="checkbox"
              className={classes.box}
              aria-label={`Select ${props.nameOf(row)}`}
              ref={tick}
              onChange={({ target, nativeEvent }) =>
                onSelect(row, target.checked, "shiftKey" in nativeEvent && nativeEvent.shiftKey === true)
              }
            />
          </td>
        )}
        {cellsOf(props)}
      </tr>
      {open && (
        <tr className={classes.detail}>
          <td key={id} colSpan={columns.length + (picking ? 1 : 0)}>
            {detail}
          </td>
        </tr>
      )}
    </>
  )
}

function cellsOf<T extends object>({ row, columns, layout, now }: ListRowProps<T>): ReactNode {
  return columns.map(({ id, end = false, look, cell, time, calendar = false, action }) => {
    const at = time?.(row) ?? ""
    const shown = time === undefined ? cell?.(row, layout) : (calendar ? onDay : ago)(at, now)
    const whole = time === undefined ? (end ? "" : shown) : exact(at)
    const own = typeof look === "function" ? look(row, layout) : look
    const act = layout === "wide" && action?.(row)
    return (
      // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a cell, not a control
      <td
        key={id}
        data-end={end || undefined}
        className={act ? `${classes.acting} ${own ?? ""}` : own}
        title={typeof whole === "string" && whole !== "" ? whole : undefined}
      >
        {shown}
        {act}
      </td>
    )
  })
}

function SkeletonBody<T>({ columns, picking }: { columns: readonly ListColumn<T>[]; picking: boolean }) {
  return (
    <tbody aria-hidden>
      {Array.from({ length: 12 }, (_, row) => (
        <tr key={row} className={classes.row}>
          {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a hidden cell, not a control */}
          {picking && <td className={classes.pick} />}
          {columns.map((look, column) => (
            // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a hidden cell, not a control
            <td key={look.id} data-end={look.end || undefined}>
              <span className="skeleton" style={{ width: `${45 + ((row * 17 + column * 29) % 40)}%` }} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}
