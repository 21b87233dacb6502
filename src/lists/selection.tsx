import { IconX } from "@tabler/icons-react"
import { functionalUpdate, type OnChangeFn, type RowSelectionState } from "@tanstack/react-table"
import { type ReactNode, useMemo, useState } from "react"
import { formatCount } from "../lib/format.ts"
import classes from "./list-page.module.css"

const nothing: readonly never[] = []

/** The selected rows. */
export interface Selection<T> {
  readonly rows: readonly T[]
  readonly select: (rows: readonly T[]) => void
  readonly clear: () => void
}

/**
 * The selected rows as table state, of this page and of others; another filter clears them. Rows of other pages are as
 * of when they were selected.
 */
export function useSelection<T extends object>(
  rows: readonly T[],
  idOf: (row: T) => string,
  filterKey: string,
) {
  const [selected, setSelected] = useState<{ filterKey: string; rows: readonly T[] }>()
  const before = selected?.filterKey === filterKey ? selected.rows : nothing
  return useMemo(() => {
    const byId = new Map([...before, ...rows].map((row) => [idOf(row), row]))
    const rowsFor = (ids: readonly string[]) => ids.flatMap((id) => byId.get(id) ?? [])
    const ids = before.map(idOf)
    const rowSelection: RowSelectionState = Object.fromEntries(ids.map((id) => [id, true as const]))
    const select = (next: readonly T[]) => setSelected({ filterKey, rows: next })
    const onRowSelectionChange: OnChangeFn<RowSelectionState> = (updater) =>
      select(rowsFor(Object.keys(functionalUpdate(updater, rowSelection))))
    const selection: Selection<T> = { rows: rowsFor(ids), select, clear: () => select(nothing) }
    return { selection, rowSelection, onRowSelectionChange }
  }, [before, rows, idOf, filterKey])
}

/** All matches of a list that has more pages: how many, and what reads them. */
export interface EveryMatch<T> {
  readonly total: number
  readonly load: () => Promise<readonly T[]>
}

/** Floats above the footer while rows are selected. */
export function SelectionBar(props: {
  count: number
  sum: ReactNode
  every: EveryMatch<unknown> | undefined
  onEvery: () => void
  children: ReactNode
  onClear: () => void
}) {
  const { every } = props
  return (
    <section className={`l-medium nowrap ${classes.bar}`} aria-label="Selected rows">
      <output>
        <b>{formatCount(props.count)}</b> selected
      </output>
      {props.sum !== undefined && <span className={`${classes.quiet} truncate l-num`}>{props.sum}</span>}
      {every !== undefined && every.total > props.count && (
        <button type="button" className={classes.action} onClick={props.onEvery}>
          Select all {formatCount(every.total)}
        </button>
      )}
      <span className={classes.line} aria-hidden />
      {props.children}
      <span className={classes.line} aria-hidden />
      <button type="button" className={classes.action} onClick={props.onClear}>
        <span className="visually-hidden">Clear the selection</span>
        <span className={classes.quiet} aria-hidden>
          Clear
        </span>
        <kbd aria-hidden>Esc</kbd>
        <IconX size={16} stroke={1.75} aria-hidden className={classes.cross} />
      </button>
    </section>
  )
}

/** An action on the selected rows. */
export function SelectionAction(props: { icon: ReactNode; label: string; onClick: () => void }) {
  return (
    <button type="button" className={classes.action} onClick={props.onClick}>
      {props.icon}
      {props.label}
    </button>
  )
}
