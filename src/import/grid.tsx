import { Box, NativeSelect } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import { IconChevronDown } from "@tabler/icons-react"
import { defaultRangeExtractor, useVirtualizer, type Range } from "@tanstack/react-virtual"
import { Fragment, useLayoutEffect, useMemo, useState, type ClipboardEvent } from "react"
import { GridRow } from "./grid-row.tsx"
import classes from "./grid.module.css"
import type { ImportSession } from "./import-session.ts"
import { metadataKey, metadataLabel } from "./recipe.ts"
import type { CellPlace } from "./sheet-view.ts"
import { actionsWidth, type GridColumn, numberWidth, useGrid, useRowWindow, within } from "./use-grid.ts"

/** Height of the sticky header, and for touch, in px. */
const headerHeight = { usual: 65, touch: 81 }
/** Default height of a row, and for touch, in px. */
const rowHeight = { usual: 40, touch: 56 }

/** The rows as a grid that renders only the rows in view and the focused one. `fixed`: only cells can be edited. */
export function ImportGrid(props: {
  session: ImportSession
  label: string
  columns: readonly GridColumn[]
  fixed: boolean
  canExclude: boolean
}) {
  const { session, label, columns, fixed, canExclude } = props
  const { state } = session
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const [active, setActive] = useState<CellPlace>(() => {
    return { position: 0, column: fixed ? columns.findIndex(({ field }) => field !== null) : 0 }
  })
  const phone = useMediaQuery("(width < 640px)", undefined, { getInitialValueInEffect: false })
  const [touch] = useState(() => window.matchMedia("(pointer: coarse)").matches)
  // Fixed row heights, because measuring each row would be slow.
  const height = useMemo(() => {
    const style = getComputedStyle(scroller ?? document.documentElement)
    if (touch) return rowHeight.touch
    return Number.parseFloat(style.getPropertyValue("--l-density-row")) || rowHeight.usual
  }, [scroller, touch])
  useLayoutEffect(() => scroller?.style.setProperty("--row", `${height}px`), [scroller, height])
  const position = within(active.position, state.shown)
  const place = { position, column: within(active.column, columns.length) }
  const column = columns[place.column]
  // oxlint-disable-next-line react/incompatible-library -- no React Compiler here
  const virtual = useVirtualizer({
    count: state.shown,
    getScrollElement: () => scroller,
    estimateSize: () => height,
    overscan: 8,
    scrollPaddingEnd: headerHeight[touch ? "touch" : "usual"],
    rangeExtractor: (range: Range) =>
      [...new Set([...defaultRangeExtractor(range), position])].toSorted((a, b) => a - b),
  })
  const inView = virtual.range ?? { startIndex: 0, endIndex: 0 }
  const rows = useRowWindow(session, Math.max(0, inView.startIndex - 8), inView.endIndex + 8)
  const isReadOnly = (column: GridColumn) => fixed && column.field === null
  const grid = useGrid({ session, columns, rows, isReadOnly, takesFocus: fixed, place, onPlace: setActive })

  function onPaste(event: ClipboardEvent): void {
    const text = event.clipboardData.getData("text/plain")
    if (grid.draft !== null || column === undefined || isReadOnly(column) || text === "") return
    event.preventDefault()
    const from = { position, column: column.index }
    void session.change((sheet) => sheet.paste(from, text))
  }

  function onCopy(event: ClipboardEvent): void {
    const text = rows.rowAt(position)?.texts[column?.index ?? 0]
    if (grid.draft !== null || text === undefined || window.getSelection()?.isCollapsed === false) return
    event.preventDefault()
    event.clipboardData.setData("text/plain", text)
  }

  let drawn = 0
  return (
    <div ref={setScroller} className={`scroll grow ${classes.scroller}`}>
      <table
        ref={grid.table}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- its cells are edited
        role="grid"
        aria-label={label}
        aria-rowcount={state.shown + 1}
        aria-colcount={columns.length + 2}
        aria-busy={state.busy}
        data-fixed={fixed || undefined}
        className={classes.table}
        style={{ minWidth: columns.reduce((sum, { size }) => sum + size, numberWidth + actionsWidth) }}
        onKeyDown={grid.onKeyDown}
        onMouseDown={grid.onMouseDown}
        onDoubleClick={grid.onDoubleClick}
        onPaste={onPaste}
        onCopy={onCopy}
      >
        <colgroup>
          <col style={{ width: numberWidth }} />
          {columns.map(({ index, size }, at) => (
            <col key={index} style={at === columns.length - 1 ? {} : { width: size }} />
          ))}
          <col style={{ width: actionsWidth }} />
        </colgroup>
        <GridHeader session={session} columns={columns} fixed={fixed} />
        <tbody>
          {virtual.getVirtualItems().map((item) => {
            const gap = item.start - drawn
            drawn = item.end
            const isActive = item.index === position
            return (
              <Fragment key={item.key}>
                {gap > 0 && <tr aria-hidden style={{ height: gap }} />}
                <GridRow
                  session={session}
                  row={rows.rowAt(item.index)}
                  columns={columns}
                  position={item.index}
                  activeColumn={isActive ? place.column : null}
                  measure={virtual.measureElement}
                  touch={touch}
                  phone={phone}
                  canExclude={canExclude}
                  canDelete={!fixed}
                  findsMembers={fixed}
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

function GridHeader(props: { session: ImportSession; columns: readonly GridColumn[]; fixed: boolean }) {
  const { session, columns, fixed } = props
  const { fields, takesMetadata, busy } = session.state
  const choices = [
    { value: "", label: "Not used" },
    ...fields.map(({ key, label }) => ({ value: key, label })),
  ]
  /** A column that matches no field can be used as a metadata key under its own name. */
  const choicesFor = ({ name, field }: GridColumn) => {
    const key =
      takesMetadata && field === null ? (metadataKey(name) ?? metadataKey(`metadata.${name}`)) : null
    return key === null || choices.some(({ value }) => value === key)
      ? choices
      : [...choices, { value: key, label: metadataLabel(key) }]
  }
  return (
    <thead className={classes.header}>
      <tr aria-rowindex={1}>
        <th scope="col" aria-colindex={1} className={classes.number}>
          Row
        </th>
        {columns.map((column, at) => (
          <th
            key={column.index}
            scope="col"
            aria-colindex={at + 2}
            data-type={column.spec?.type}
            data-unused={(column.field === null && !fixed) || undefined}
          >
            <Box
              component="span"
              display="block"
              mb={fixed ? 0 : 4}
              className="truncate l-meta"
              title={column.name}
            >
              {column.name}
            </Box>
            {!fixed && (
              <NativeSelect
                size="xs"
                aria-label={`Column ${column.name} holds`}
                value={column.field ?? ""}
                data={choicesFor(column)}
                disabled={busy}
                rightSection={<IconChevronDown size={14} stroke={1.75} aria-hidden />}
                onChange={({ currentTarget }) =>
                  void session.map(column.index, currentTarget.value === "" ? null : currentTarget.value)
                }
              />
            )}
          </th>
        ))}
        <th scope="col" aria-colindex={columns.length + 2} className={classes.ends}>
          <span className="visually-hidden">Actions</span>
        </th>
      </tr>
    </thead>
  )
}
