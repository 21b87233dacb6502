import type { Row } from "@tanstack/react-table"
import type { Ref } from "react"
import { Check } from "./check.tsx"
import type { ListFeatures, ListTable } from "./list-column.ts"
import classes from "./list-table.module.css"

interface ListRowProps<T extends object> {
  table: ListTable<T>
  row: Row<ListFeatures, T>
  /** What the row is about, for its checkbox. */
  nameOf: (row: T) => string
  /** Its place in a list of which only a part is drawn. */
  index?: number
  ref?: Ref<HTMLTableRowElement>
}

/** One row. Its link is in the first cell and reaches over the whole row. */
export function ListRow<T extends object>({ table, row, nameOf, index, ref }: ListRowProps<T>) {
  const selected = row.getIsSelected()
  return (
    <tr
      ref={ref}
      className={classes.row}
      data-row={row.id}
      data-selected={selected || undefined}
      {...(index === undefined ? {} : { "data-index": index, "aria-rowindex": index + 2 })}
    >
      {table.options.enableRowSelection !== false && (
        <td className={classes.pick}>
          <Check
            label={`Select ${nameOf(row.original)}`}
            checked={selected}
            onChange={row.getToggleSelectedHandler()}
          />
        </td>
      )}
      {row.getVisibleCells().map((cell) => (
        <td key={cell.id} data-end={cell.column.columnDef.meta?.end || undefined}>
          <table.FlexRender cell={cell} />
        </td>
      ))}
    </tr>
  )
}
