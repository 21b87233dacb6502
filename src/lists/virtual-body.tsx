import { useVirtualizer } from "@tanstack/react-virtual"
import { Fragment, type ReactNode, type Ref } from "react"

const usualHeight = 40

/** A table body that draws only the rows in view, for thousands of them. Two rows of empty space stand for the rest. */
export function VirtualBody(props: {
  rows: readonly { readonly id: string }[]
  scroller: HTMLElement | null
  renderRow: (index: number, ref: Ref<HTMLTableRowElement>) => ReactNode
}) {
  const { rows, scroller, renderRow } = props
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
      {items.map((item) => (
        <Fragment key={item.key}>{renderRow(item.index, virtual.measureElement)}</Fragment>
      ))}
      {after > 0 && <tr aria-hidden style={{ height: after }} />}
    </tbody>
  )
}
