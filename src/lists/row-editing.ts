import { useCallback, useEffect, useEffectEvent, useState } from "react"
import type { ListColumn, ListLayout } from "./list-columns.ts"

/** The row and column that are edited in place. */
interface Editing<T> {
  readonly id: string
  readonly column: string
  /** The row as of when editing started. */
  readonly row: T
  readonly fields: readonly string[]
  readonly Editor: NonNullable<ListColumn<T>["edit"]>["Editor"]
}

/**
 * Starts editing from the pencil at a cell's end, from a link in it (`data-edits`), or from the list key (event
 * `edit`). One row at a time: input in another row stays until it is saved or cancelled.
 */
export function useRowEditing<T extends object>(
  scroller: HTMLElement | null,
  list: {
    rows: readonly T[]
    columns: readonly ListColumn<T>[]
    layout: ListLayout
    idOf: (row: T) => string
  },
) {
  const [editing, setEditing] = useState<Editing<T>>()
  const begin = useEffectEvent((event: Event) => {
    const { rows, columns, layout, idOf } = list
    const cell = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-edit]") : null
    const line = cell?.closest<HTMLElement>("[data-row]")
    const row = rows.find((each) => idOf(each) === line?.dataset.row)
    if (cell === null || row === undefined) return
    if (event instanceof MouseEvent && !isOnPencil(event, cell, layout)) return
    event.preventDefault()
    event.stopPropagation()
    const open = scroller?.querySelector<HTMLElement>("[data-row-form] input")
    if (open) {
      open.focus()
      return
    }
    const column = cell.dataset.edit ?? ""
    const own = event instanceof MouseEvent ? column : undefined
    const edits = columns.flatMap(({ id, edit }) =>
      edit?.may(row, layout) && id === (own ?? id) ? [edit] : [],
    )
    const fields = [...new Set(edits.flatMap((edit) => edit.fields(layout)))]
    line?.querySelector<HTMLElement>("[data-row-link]")?.focus({ preventScroll: true })
    setEditing(edits[0] && { id: idOf(row), column, row, fields, Editor: edits[0].Editor })
  })
  useEffect(() => {
    const until = new AbortController()
    const on = (event: Event) => begin(event)
    // Runs before the row opens its record, or a link its page.
    scroller?.addEventListener("click", on, { capture: true, signal: until.signal })
    scroller?.addEventListener("edit", on, until)
    return () => until.abort()
  }, [scroller])
  return { editing, end: useCallback(() => setEditing(undefined), []) }
}

/** The pencil is drawn by CSS, so the click position decides; its width is the same as there. */
function isOnPencil(event: MouseEvent, cell: HTMLElement, layout: ListLayout): boolean {
  const { target, clientX, ctrlKey, metaKey, shiftKey } = event
  if (target instanceof Element && target.closest("[data-edits]")) return !(ctrlKey || metaKey || shiftKey)
  return target === cell && clientX >= cell.getBoundingClientRect().right - (layout === "wide" ? 36 : 48)
}
