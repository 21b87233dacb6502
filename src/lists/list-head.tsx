import { IconArrowDown, IconArrowUp } from "@tabler/icons-react"
import heads from "../ui/table-head.module.css"
import { Check } from "./check.tsx"
import type { ListTable } from "./list-column.ts"
import classes from "./list-table.module.css"

/** The head of a list. Heads are buttons only where every row is here to be sorted. */
export function ListHead<T extends object>({ table }: { table: ListTable<T> }) {
  const [group] = table.getHeaderGroups()
  const all = table.getIsAllRowsSelected()
  return (
    <thead className={`${heads.head} ${heads.stays}`}>
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
