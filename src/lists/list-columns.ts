import { useMediaQuery } from "@mantine/hooks"
import {
  type CellContext,
  type Column,
  type ColumnDef,
  columnOrderingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createSortedRowModel,
  metaHelper,
  type ReactTable,
  rowExpandingFeature,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
} from "@tanstack/react-table"
import { type RefObject, useCallback, useLayoutEffect, useState } from "react"
import { flushSync } from "react-dom"
import { type ColumnLayout, columnLayout, type ListView } from "../../contract/views.ts"
import { readStored, saveStored } from "../lib/browser-storage.ts"

/** How rows are laid out: one line each with a mouse, two lines of 56 px for fingers and in narrow windows. */
export type ListLayout = "wide" | "tablet" | "phone"

/** The layout for this window and pointer: a phone by its width, a tablet by its coarse pointer or its width. */
export function useListLayout(): ListLayout {
  const phone = useMediaQuery("(width < 640px)", undefined, { getInitialValueInEffect: false })
  const tablet = useMediaQuery("(pointer: coarse), (width < 900px)", undefined, {
    getInitialValueInEffect: false,
  })
  return phone ? "phone" : tablet ? "tablet" : "wide"
}

/** What a column of a list has besides TanStack's own options. */
interface ListColumnMeta {
  readonly align?: "end"
  readonly phoneAlign?: "end"
  /** Its width in touch layouts, where the others need the rest. */
  readonly touchWidth?: number
  /** Hidden before the table scrolls sideways, 1 first; of equal ones the last. */
  readonly priority?: number
  /** Hidden until the user shows it. */
  readonly hidden?: boolean
  /** The narrowest touch layout that shows it; touch layouts ignore the choice of columns. */
  readonly minLayout?: "tablet" | "phone"
  /** Class names of its cells. */
  readonly className?: string
  /** The row's action is at the end of this cell, or of another one while this column is hidden. */
  readonly hasAction?: boolean
}

interface ListTableMeta {
  readonly layout: ListLayout
}

export const listFeatures = tableFeatures({
  columnOrderingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowExpandingFeature,
  rowSelectionFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  columnMeta: metaHelper<ListColumnMeta>(),
  tableMeta: metaHelper<ListTableMeta>(),
})
export type ListFeatures = typeof listFeatures

/**
 * A column of a list, at module scope where possible. It can be sorted if it has an accessor; rows without a value are
 * last. A column without a `size` shares the remaining width.
 */
export type ListColumn<T extends object> = ColumnDef<ListFeatures, T>

/** What a cell renders from. */
export type ListCell<T extends object> = CellContext<ListFeatures, T>

export function layoutOf({ options }: { options: { meta?: ListTableMeta | undefined } }): ListLayout {
  return options.meta?.layout ?? "wide"
}

const collator = new Intl.Collator("en-AU", { numeric: true, sensitivity: "base" })

/** The order of texts in a list. */
export const compareWords = (one: string, other: string) => collator.compare(one, other)

interface SortableRow {
  readonly getValue: (columnId: string) => unknown
}

/** Numbers by size, everything else in the order of the language. */
export function byValue(rowA: SortableRow, rowB: SortableRow, columnId: string): number {
  const [one, other] = [rowA.getValue(columnId), rowB.getValue(columnId)]
  if (typeof one === "number" && typeof other === "number") return one - other
  return compareWords(String(one), String(other))
}

/** The `sort` search parameter as table state: a column's id, with a leading minus for descending. */
export function sortingOf<T extends object>(columns: readonly ListColumn<T>[], sort: string | undefined) {
  const id = sort?.replace(/^-/, "")
  const known = columns.some(
    (column) => column.id === id && "accessorFn" in column && column.enableSorting !== false,
  )
  return known && id !== undefined ? [{ id, desc: sort?.startsWith("-") === true }] : []
}

/** Room in px for a column without a width. */
const usualRoom = 144

/** Width of the list shown last: the next one usually has the same. */
let lastWidth = Infinity

/** The width of a list in px, less `taken`. */
export function useRoom(element: RefObject<HTMLElement | null>, taken: number): number {
  const [width, setWidth] = useState(lastWidth)
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return undefined
    const measure = () => {
      // Without layout, in tests, every column fits.
      lastWidth = current.clientWidth || Infinity
      setWidth(lastWidth)
    }
    // A second measurement here would cost another layout; the observer runs after the one before the paint.
    if (lastWidth === Infinity) measure()
    const observer = new ResizeObserver(() => flushSync(measure))
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return width - taken
}

/** The part of a column definition that decides whether it is shown. */
export interface ColumnLook {
  readonly id?: string | undefined
  readonly size?: number | undefined
  readonly meta?: ListColumnMeta | undefined
}

const idOf = ({ id = "" }: ColumnLook) => id

/** The columns that fit into `room` px; those with a `priority` give way, 1 first. */
export function fittingColumns<T extends ColumnLook>(
  columns: readonly T[],
  room: number,
  widths: ColumnLayout["widths"] = {},
): readonly T[] {
  const widthOf = (column: T) => widths[idOf(column)] ?? column.size ?? usualRoom
  let least = columns.reduce((sum, column) => sum + widthOf(column), 0)
  const removable = columns
    .toReversed()
    .filter(({ meta }) => meta?.priority !== undefined)
    .toSorted((one, other) => (one.meta?.priority ?? 0) - (other.meta?.priority ?? 0))
  const removed = new Set<T>()
  for (const column of removable) {
    if (least <= room) break
    least -= widthOf(column)
    removed.add(column)
  }
  return columns.filter((column) => !removed.has(column))
}

export type ListTable<T extends object> = ReactTable<ListFeatures, T, unknown>
export type ListTableColumn<T extends object> = Column<ListFeatures, T>

/** The chosen or declared width in px; undefined if the column shares the remaining width. */
export function widthOf<T extends object>({ id, columnDef, table }: ListTableColumn<T>): number | undefined {
  return table.atoms.columnSizing.get()[id] ?? (columnDef.size || undefined)
}

/** Moves a column to the place of another one. */
export function moveColumn<T extends object>(table: ListTable<T>, id: string, target: string): void {
  const order = table.getAllLeafColumns().map((column) => column.id)
  table.setColumnOrder(order.filter((each) => each !== id).toSpliced(order.indexOf(target), 0, id))
}

/** Whether a column is shown: by its touch layout, else by choice, else by default. */
export function isShown(
  { id = "", meta = {} }: ColumnLook,
  { shown }: ColumnLayout,
  layout: ListLayout,
): boolean {
  if (layout === "phone") return meta.minLayout === "phone"
  if (layout === "tablet") return meta.minLayout !== undefined
  return shown[id] ?? meta.hidden !== true
}

/** Table state of the columns: at least one is visible. Touch layouts ignore what was arranged with a mouse. */
export function columnState(
  columns: readonly ColumnLook[],
  laidOut: ColumnLayout,
  layout: ListLayout,
  room: number,
) {
  const wide = layout === "wide"
  const touchWidths = Object.fromEntries(
    columns.flatMap(({ id = "", meta }) => (meta?.touchWidth === undefined ? [] : [[id, meta.touchWidth]])),
  )
  const columnSizing = wide ? laidOut.widths : touchWidths
  const shown = columns.filter((column) => isShown(column, laidOut, layout))
  const some = shown.length > 0 ? shown : columns.slice(0, 1)
  // A phone shows two or three columns, which share the width.
  const fitting = layout === "phone" ? some : fittingColumns(some, room, columnSizing)
  return {
    columnSizing,
    columnOrder: wide ? laidOut.order : [],
    columnVisibility: Object.fromEntries(columns.map((column) => [idOf(column), fitting.includes(column)])),
  }
}

/** A change to visibility, order or widths of columns; undefined resets all of it. */
export type ColumnChange = Partial<ColumnLayout> | undefined

const asDeclared: ColumnLayout = { shown: {}, order: [], widths: {} }

/**
 * The user's column layout of a list: departures from the default, stored in this browser. A saved `view` has its own
 * layout: changes to it last until the view is saved or left.
 */
export function useColumnLayout(list: string = "", view?: ListView) {
  const key = `laurel-columns-${list}`
  const [own, setOwn] = useState(() => readStored(key, columnLayout) ?? asDeclared)
  const [ofView, setOfView] = useState<{ view: ListView | undefined; layout: ColumnLayout }>()
  const layout = view === undefined ? own : ofView?.view === view ? ofView.layout : view.columns
  const change = useCallback(
    (next: ColumnChange) => {
      const widths = { ...layout.widths, ...next?.widths }
      const changed = next === undefined ? asDeclared : { ...layout, ...next, widths }
      setOfView({ view, layout: changed })
      if (view !== undefined) return
      setOwn(changed)
      saveStored(key, changed)
    },
    [layout, view, key],
  )
  return [layout, change] as const
}
