import {
  createSortedRowModel,
  columnVisibilityFeature,
  metaHelper,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  type ColumnDef,
  type ReactTable,
  type Row,
  type RowData,
} from "@tanstack/react-table"
import type { ReactNode } from "react"
import type { ListLayout } from "./use-list-layout.ts"

/** What the head and the widths of a column need to know. */
export interface ColumnLook {
  /** Its name in the head and in the chooser. */
  readonly label: string
  /** Numbers and times stand at the right end, with their head. */
  readonly end?: boolean
  /** Width in px; columns without one share what remains. */
  readonly width?: number
  /** Not shown until somebody chooses it. */
  readonly hidden?: boolean
  /** The narrowest touch layout that shows it; touch layouts leave the choice of columns aside. */
  readonly touch?: "tablet" | "phone"
}

/** One column as a feature declares it, at module scope where it can. */
export interface ListColumn<T> extends ColumnLook {
  readonly id: string
  /** What the column is sorted by; undefined goes last in both directions. */
  readonly value: (row: T) => string | number | undefined
  /** The cell. In a touch layout it may have two lines. */
  readonly cell: (row: T, layout: ListLayout) => ReactNode
  /** Sorts the large or late ones first. */
  readonly descFirst?: boolean
}

/** What the list machine uses of TanStack Table: which columns, which rows are selected, in which order. */
export const listFeatures = tableFeatures({
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  columnMeta: metaHelper<ColumnLook>(),
})
/** The features of every list. */
export type ListFeatures = typeof listFeatures
/** The table of a list. */
export type ListTable<T extends RowData> = ReactTable<ListFeatures, T>

const words = new Intl.Collator("en-AU", { numeric: true, sensitivity: "base" })

/** Numbers by size, everything else as words, "2" before "10". */
function compareValues(one: unknown, other: unknown): number {
  if (typeof one === "number" && typeof other === "number") return one - other
  return words.compare(String(one), String(other))
}

function compareRows<T extends RowData>(
  one: Row<ListFeatures, T>,
  other: Row<ListFeatures, T>,
  id: string,
): number {
  return compareValues(one.getValue(id), other.getValue(id))
}

/** A column in TanStack Table's terms. */
export function columnDef<T extends RowData>(
  column: ListColumn<T>,
  layout: ListLayout,
): ColumnDef<ListFeatures, T> {
  return {
    id: column.id,
    accessorFn: column.value,
    header: column.label,
    cell: ({ row }) => column.cell(row.original, layout),
    sortFn: compareRows,
    sortUndefined: "last",
    sortDescFirst: column.descFirst ?? false,
    meta: column,
  }
}
