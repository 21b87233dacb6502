import type { Row } from "@tanstack/react-table"
import type { ReactNode, Ref } from "react"
import { Check } from "./check.tsx"
import { useJustChanged } from "./use-just-changed.ts"
import type { ListFeatures, ListTable } from "./list-column.ts"
import classes from "./list-table.module.css"

interface ListRowProps<T extends object> {
  table: ListTable<T>
  row: Row<ListFeatures, T>
  /** What the row is about, for its checkbox. */
  nameOf: (row: T) => string
  /** What is opened below the row; null while nothing is. */
  detail?: ReactNode
  /** Its place in a list of which only a part is drawn. */
  index?: number
  ref?: Ref<HTMLTableRowElement>
}

/** One row. Its link (`data-row-link`) is in one of its cells and reaches over the whole row. */
export function ListRow<T extends object>({ table, row, nameOf, detail, index, ref }: ListRowProps<T>) {
  const selected = row.getIsSelected()
  const changed = useJustChanged(row.id)
  const picking = table.options.enableRowSelection !== false
  const cells = row.getVisibleCells()
  const open = detail !== undefined && detail !== null
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
