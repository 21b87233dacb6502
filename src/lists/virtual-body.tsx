import { useVirtualizer } from "@tanstack/react-virtual"
import type { ListTable } from "./list-columns.ts"
import { ListRow } from "./list-table.tsx"

interface VirtualBodyProps<T extends object> {
  table: ListTable<T>
  nameOf: (row: T) => string
  scroller: HTMLElement | null
}

/** Row height before a row is measured, in px. */
const usualHeight = 40

/** A body that draws only the rows in view, for thousands of them. Two rows of empty space stand for the rest. */
export function VirtualBody<T extends object>({ table, nameOf, scroller }: VirtualBodyProps<T>) {
  const rows = table.getRowModel().rows
  // oxlint-disable-next-line react/incompatible-library -- no React Compiler here
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: () => usualHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 12,
  })
  const items = virtual.getVirtualItems()
  const before = items.at(0)?.start ?? 0
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <tbody>
      {before > 0 && <tr aria-hidden style={{ height: before }} />}
      {items.map((item) => {
        const row = rows[item.index]
        return (
          row !== undefined && (
            <ListRow
              key={row.id}
              ref={virtual.measureElement}
              table={table}
              row={row}
              nameOf={nameOf}
              index={item.index}
            />
          )
        )
      })}
      {after > 0 && <tr aria-hidden style={{ height: after }} />}
    </tbody>
  )
}
