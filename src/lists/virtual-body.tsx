import { useVirtualizer } from "@tanstack/react-virtual"
import type { ReactNode, Ref } from "react"

const usualHeight = 40

/** A table body that renders only the rows in view, with two spacer rows for the rest. */
export function VirtualBody(props: {
  count: number
  scroller: HTMLElement | null
  /** A row with its key. */
  renderRow: (index: number, ref: Ref<HTMLTableRowElement>) => ReactNode
}) {
  const { count, scroller, renderRow } = props
  // oxlint-disable-next-line react/incompatible-library -- no React Compiler here
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller,
    estimateSize: () => usualHeight,
    overscan: 12,
  })
  const items = virtual.getVirtualItems()
  const before = items.at(0)?.start ?? 0
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <tbody>
      {before > 0 && <tr aria-hidden style={{ height: before }} />}
      {items.map(({ index }) => renderRow(index, virtual.measureElement))}
      {after > 0 && <tr aria-hidden style={{ height: after }} />}
    </tbody>
  )
}
