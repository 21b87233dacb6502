import { defaultRangeExtractor, useVirtualizer, type Range } from "@tanstack/react-virtual"
import { Fragment, useLayoutEffect, useMemo, useState, type ClipboardEvent, type PointerEvent } from "react"
import type { ImportSession } from "../session/import-session.ts"
import { GridHead } from "./grid-head.tsx"
import { GridRow } from "./grid-row.tsx"
import classes from "./import-grid.module.css"
import { rowHeight } from "./row-height.ts"
import { shownColumns } from "./shown-columns.ts"
import { useGrid } from "./use-grid.ts"
import { useRowWindow } from "./use-row-window.ts"

interface ImportGridProps {
  session: ImportSession
  /** What the rows are; read aloud. */
  label: string
  /** Draws columns that are not used too, however many there are. */
  allColumns: boolean
}

/** px: the column of row numbers, the one of actions, and the head that stays above the rows. */
const numberWidth = 76
const actionsWidth = 148
const headHeight = 65
/**
 * The rows of an import as a grid: cells are edited in place, what is wrong stands in them. Only rows in view are
 * drawn, and the one with the focus, so that it is never lost by scrolling.
 */
export function ImportGrid({ session, label, allColumns }: ImportGridProps) {
  const { state } = session
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const [held, setHeld] = useState(0)
  const [pointed, setPointed] = useState(-1)
  const [touched] = useState(() => window.matchMedia("(pointer: coarse)").matches)
  const height = useMemo(() => rowHeight(scroller ?? document.documentElement, touched), [scroller, touched])
  useLayoutEffect(() => scroller?.style.setProperty("--row", `${height}px`), [scroller, height])
  const columns = useMemo(() => shownColumns(state, allColumns), [state, allColumns])
  // oxlint-disable-next-line react/incompatible-library -- no React Compiler here
  const virtual = useVirtualizer({
    count: state.shown,
    getScrollElement: () => scroller,
    estimateSize: () => height,
    overscan: 8,
    scrollPaddingEnd: headHeight,
    rangeExtractor: (range: Range) =>
      held < range.count
        ? [...new Set([...defaultRangeExtractor(range), held])].toSorted((a, b) => a - b)
        : defaultRangeExtractor(range),
  })
  const items = virtual.getVirtualItems()
  const inView = virtual.range ?? { startIndex: 0, endIndex: 0 }
  const rows = useRowWindow(session, Math.max(0, inView.startIndex - 8), inView.endIndex + 8)
  const grid = useGrid({ session, columns, rows })
  if (held !== grid.place.position) setHeld(grid.place.position)

  function onPaste(event: ClipboardEvent): void {
    const text = event.clipboardData.getData("text/plain")
    const column = columns[grid.place.column]
    if (grid.draft !== null || column === undefined || text === "") return
    event.preventDefault()
    void session.paste({ position: grid.place.position, column: column.index }, text)
  }

  function onCopy(event: ClipboardEvent): void {
    const text = rows.rowAt(grid.place.position)?.texts[columns[grid.place.column]?.index ?? 0]
    if (grid.draft !== null || text === undefined || window.getSelection()?.isCollapsed === false) return
    event.preventDefault()
    event.clipboardData.setData("text/plain", text)
  }

  function onPointerOver({ target }: PointerEvent): void {
    const row = target instanceof Element ? target.closest<HTMLElement>("[data-index]") : null
    setPointed(Number(row?.dataset["index"] ?? -1))
  }

  let drawn = 0
  return (
    <div ref={setScroller} className={classes.scroller}>
      <table
        ref={grid.table}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- its cells are edited
        role="grid"
        aria-label={label}
        aria-rowcount={state.shown + 1}
        aria-colcount={columns.length + 2}
        aria-busy={state.busy}
        className={classes.table}
        style={{
          minWidth: columns.reduce((sum, column) => sum + column.width, numberWidth + actionsWidth),
        }}
        onKeyDown={grid.onKeyDown}
        onMouseDown={grid.onMouseDown}
        onPointerOver={onPointerOver}
        onPointerLeave={() => setPointed(-1)}
        onDoubleClick={grid.onDoubleClick}
        onPaste={onPaste}
        onCopy={onCopy}
      >
        <colgroup>
          <col style={{ width: numberWidth }} />
          {columns.map((column, at) => (
            <col key={column.index} style={at === columns.length - 1 ? {} : { width: column.width }} />
          ))}
          <col style={{ width: actionsWidth }} />
        </colgroup>
        <GridHead session={session} columns={columns} />
        <tbody>
          {items.map((item) => {
            const gap = item.start - drawn
            drawn = item.end
            const isActive = item.index === grid.place.position
            return (
              <Fragment key={item.key}>
                {gap > 0 && <tr aria-hidden style={{ height: gap }} />}
                <GridRow
                  session={session}
                  row={rows.rowAt(item.index)}
                  columns={columns}
                  position={item.index}
                  activeColumn={isActive ? grid.place.column : null}
                  measure={virtual.measureElement}
                  pointed={touched || pointed === item.index}
                  editing={
                    isActive && grid.draft !== null
                      ? { ...grid.draft, onChange: grid.setText, onLeave: grid.leave }
                      : null
                  }
                />
              </Fragment>
            )
          })}
          {virtual.getTotalSize() > drawn && (
            <tr aria-hidden style={{ height: virtual.getTotalSize() - drawn }} />
          )}
        </tbody>
      </table>
    </div>
  )
}
