import { functionalUpdate, useTable } from "@tanstack/react-table"
import { useMemo } from "react"
import type { ColumnChoice } from "./column-choice.ts"
import { columnDef, listFeatures, type ListColumn, type ListTable } from "./list-column.ts"
import { sortingOf, sortParamOf, type SortParam } from "./sort-param.ts"
import type { ListLayout } from "./use-list-layout.ts"
import type { Selection } from "./use-selection.ts"

/** Sorting is offered only where every row is here: the services do not sort. */
interface ListSorting {
  readonly sort: SortParam | undefined
  readonly onSort: (sort: SortParam | undefined) => void
}

interface ListTableOptions<T> {
  /** Stable: at module scope or memoised. */
  readonly columns: readonly ListColumn<T>[]
  readonly rows: readonly T[]
  readonly idOf: (row: T) => string
  readonly layout: ListLayout
  readonly choice: ColumnChoice
  /** Absent: rows keep the order in which they came and heads are plain. */
  readonly sorting?: ListSorting | undefined
  /** Absent: rows cannot be selected. */
  readonly selection?: Selection<T> | undefined
}

const noSelection = {}

/** Whether a column is shown: by its touch layout, else by choice, else by default. */
export function isShown<T>(column: ListColumn<T>, choice: ColumnChoice, layout: ListLayout): boolean {
  if (layout === "phone") return column.touch === "phone"
  if (layout === "tablet") return column.touch !== undefined
  return choice[column.id] ?? column.hidden !== true
}

/** The table of a list. All its state is the caller's: the address, the browser's choice, the selection. */
export function useListTable<T extends object>(options: ListTableOptions<T>): ListTable<T> {
  const { columns, rows, idOf, layout, choice, sorting, selection } = options
  const defs = useMemo(() => columns.map((column) => columnDef(column, layout)), [columns, layout])
  const columnVisibility = useMemo(() => visibility(columns, choice, layout), [columns, choice, layout])
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
    onSortingChange: (updater) => sorting?.onSort(sortParamOf(functionalUpdate(updater, order))),
    onRowSelectionChange: (updater) => selection?.change(updater),
  })
}

/** At least one column stays, whatever was chosen before columns changed. */
function visibility<T>(columns: readonly ListColumn<T>[], choice: ColumnChoice, layout: ListLayout) {
  const shown = columns.filter((column) => isShown(column, choice, layout))
  const kept = shown.length > 0 ? shown : columns.slice(0, 1)
  return Object.fromEntries(columns.map((column) => [column.id, kept.includes(column)]))
}
