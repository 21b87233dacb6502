import { useMediaQuery } from "@mantine/hooks"
import {
  type ColumnDef,
  columnVisibilityFeature,
  createSortedRowModel,
  functionalUpdate,
  metaHelper,
  type ReactTable,
  type Row,
  type RowData,
  rowSelectionFeature,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from "@tanstack/react-table"
import { type ReactNode, useEffect, useMemo, useState } from "react"
import * as z from "zod/mini"
import { keepChoice } from "../lib/external-value.ts"
import type { Selection } from "./selection.tsx"

/** How rows are laid out: one line each with a mouse, two lines of 56 px for fingers. */
export type ListLayout = "wide" | "tablet" | "phone"

/** The layout for this window and pointer: a phone by its width, a tablet by its coarse pointer. */
export function useListLayout(): ListLayout {
  const narrow = useMediaQuery("(width < 640px)", undefined, { getInitialValueInEffect: false })
  const coarse = useMediaQuery("(pointer: coarse)", undefined, { getInitialValueInEffect: false })
  return narrow ? "phone" : coarse ? "tablet" : "wide"
}

/** What the header and the widths of a column need to know. */
export interface ColumnLook {
  readonly label: string
  readonly end?: boolean
  readonly width?: number
  readonly hidden?: boolean
  /** The narrowest touch layout that shows it; touch layouts leave the choice of columns aside. */
  readonly touch?: "tablet" | "phone"
}

/** One column as a feature declares it, at module scope where it can. */
export interface ListColumn<T> extends ColumnLook {
  readonly id: string
  /** What the column is sorted by, for lists that are ever complete; undefined goes last in both directions. */
  readonly value?: (row: T) => string | number | undefined
  readonly cell: (row: T, layout: ListLayout) => ReactNode
  readonly descFirst?: boolean
}

const listFeatures = tableFeatures({
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  columnMeta: metaHelper<ColumnLook>(),
})
export type ListFeatures = typeof listFeatures
export type ListTable<T extends RowData> = ReactTable<ListFeatures, T>

const words = new Intl.Collator("en-AU", { numeric: true, sensitivity: "base" })

function compareRows<T extends RowData>(one: Row<ListFeatures, T>, other: Row<ListFeatures, T>, id: string) {
  const [first, second] = [one.getValue(id), other.getValue(id)]
  if (typeof first === "number" && typeof second === "number") return first - second
  return words.compare(String(first), String(second))
}

/** Columns somebody showed or hid against the default, by column id. */
export type ColumnChoice = Readonly<Record<string, boolean>>

const stored = z.catch(z.record(z.string(), z.boolean()), {})

/** The columns chosen for a list of this name, kept in this browser as departures from the default. */
export function useColumnChoice(list = "") {
  const key = `laurel-columns-${list}`
  const [choice, setChoice] = useState(() => read(key))
  const choose = (next: ColumnChoice) => {
    setChoice(next)
    keepChoice(key, JSON.stringify(next))
  }
  return [choice, choose] as const
}

function read(key: string): ColumnChoice {
  try {
    return stored.parse(JSON.parse(localStorage.getItem(key) ?? "{}"))
  } catch {
    return {}
  }
}

function sortingOf(sort = ""): SortingState {
  const id = sort.replace(/^-/, "")
  return id === "" ? [] : [{ id, desc: id !== sort }]
}

const noSelection = {}

/** Whether a column is shown: by its touch layout, else by choice, else by default. */
export function isShown<T>(column: ListColumn<T>, choice: ColumnChoice, layout: ListLayout): boolean {
  if (layout === "phone") return column.touch === "phone"
  if (layout === "tablet") return column.touch !== undefined
  return choice[column.id] ?? column.hidden !== true
}

/** The table of a list. All its state is the caller's: the address, the browser's choice, the selection. */
export function useListTable<T extends object>(options: {
  /** Stable: at module scope or memoised. */
  columns: readonly ListColumn<T>[]
  rows: readonly T[]
  idOf: (row: T) => string
  layout: ListLayout
  choice: ColumnChoice
  sorting: { sort: string | undefined; onSort: (sort: string | undefined) => void } | undefined
  selection: Selection<T> | undefined
}): ListTable<T> {
  const { columns, rows, idOf, layout, choice, sorting, selection } = options
  const defs = useMemo(
    () =>
      columns.map((column): ColumnDef<ListFeatures, T> => ({
        id: column.id,
        accessorFn: (row) => column.value?.(row),
        header: column.label,
        cell: ({ row }) => column.cell(row.original, layout),
        sortFn: compareRows,
        sortUndefined: "last",
        sortDescFirst: column.descFirst ?? false,
        meta: column,
      })),
    [columns, layout],
  )
  const columnVisibility = useMemo(() => {
    const shown = columns.filter((column) => isShown(column, choice, layout))
    // At least one column stays, whatever was chosen before columns changed.
    const kept = shown.length > 0 ? shown : columns.slice(0, 1)
    return Object.fromEntries(columns.map((column) => [column.id, kept.includes(column)]))
  }, [columns, choice, layout])
  const order = useMemo(() => sortingOf(sorting?.sort), [sorting?.sort])
  return useTable({
    features: listFeatures,
    columns: defs,
    data: rows,
    getRowId: idOf,
    enableSorting: sorting !== undefined,
    enableMultiSort: false,
    enableRowSelection: selection !== undefined,
    state: { columnVisibility, sorting: order, rowSelection: selection?.state ?? noSelection },
    onSortingChange: (updater) => {
      const [first] = functionalUpdate(updater, order)
      sorting?.onSort(first && `${first.desc ? "-" : ""}${first.id}`)
    },
    onRowSelectionChange: (updater) => selection?.change(updater),
  })
}

/** Whether `waiting` has lasted for 150 ms: quick answers never flash a placeholder. */
export function useLate(waiting: boolean): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!waiting) return undefined
    const timer = setTimeout(() => setLate(true), 150)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [waiting])
  return waiting && late
}
