import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from "react"
import type { ImportSession } from "./import-session.ts"
import type { CellPlace, Column, FieldView, RowView, SheetView } from "./sheet-view.ts"

/** A column as the grid draws it. */
export interface GridColumn extends Column {
  /** Index in the sheet. */
  readonly index: number
  readonly spec: FieldView | undefined
  /** px; the last column takes what is left besides. */
  readonly width: number
}

/** Columns that are not used are shown up to this many in all. */
const mostColumns = 12

/** Columns to draw, in the file's order: those in use, and others as far as there is room or `all` asks for them. */
export function shownColumns(
  { columns, fields }: SheetView,
  all: boolean,
  fixed = false,
): readonly GridColumn[] {
  const used = columns.filter(({ field }) => field !== null).length
  let spare = all ? columns.length : Math.max(0, mostColumns - used)
  return columns.flatMap((column, index): GridColumn[] => {
    if (column.field === null) {
      if (spare === 0) return []
      spare -= 1
    }
    const spec = fields.find(({ key }) => key === column.field)
    const isWide = spec?.end !== true && (spec?.mono === true || spec?.key === "email")
    return [{ ...column, index, spec, width: spec === undefined ? (fixed ? 280 : 120) : isWide ? 248 : 184 }]
  })
}

/** Rows that are fetched above and below those in view. */
const margin = 60

/** The rows in view, out of a sheet that holds them in its worker. Stale rows stay until the new ones are there. */
export interface RowWindow {
  readonly rowAt: (position: number) => RowView | undefined
  /** Shows a text at once that the sheet has yet to check. */
  readonly write: (id: number, column: number, text: string) => void
}

/**
 * Fetches rows as they come into view, and again when the sheet changes.
 * @param first index of the first row in view
 * @param last index of the last one
 */
export function useRowWindow(session: ImportSession, first: number, last: number): RowWindow {
  const [held, setHeld] = useState({ from: 0, rows: [] as readonly RowView[], revision: -1 })
  const { window } = session
  const { revision, shown } = session.state
  const end = Math.min(last, shown - 1)
  const covered = held.from <= first && end < held.from + held.rows.length
  const fresh = covered && held.revision === revision
  useEffect(() => {
    if (fresh || shown === 0) return undefined
    let wanted = true
    const from = Math.max(0, first - margin)
    const fetchRows = async () => {
      const rows = await window(from, last - from + margin)
      if (wanted) setHeld({ from, rows, revision })
    }
    // The sheet may be closed meanwhile.
    fetchRows().catch(() => {})
    return () => {
      wanted = false
    }
  }, [window, fresh, first, last, revision, shown])

  return {
    rowAt: (position) => held.rows[position - held.from],
    write: (id, column, text) =>
      setHeld((now) => ({
        ...now,
        rows: now.rows.map((row) =>
          row.id !== id
            ? row
            : {
                ...row,
                texts: row.texts.with(column, text),
                shown: row.shown.with(column, text),
                problems: row.problems.filter((problem) => problem.column !== column),
              },
        ),
      })),
  }
}

/** Rows that Page up and Page down go by. */
const pageRows = 12

/**
 * Where a key leads from a cell; null when it leads nowhere, so that the page has it. Tab goes through the cells of
 * one row and then leaves the grid: nobody is trapped in a hundred thousand rows.
 */
function cellAfter(
  { key, ctrl, shift }: { readonly key: string; readonly ctrl: boolean; readonly shift: boolean },
  { position, column }: CellPlace,
  rows: number,
  columns: number,
): CellPlace | null {
  const to = (row: number, col: number): CellPlace => ({
    position: Math.max(0, Math.min(rows - 1, row)),
    column: Math.max(0, Math.min(columns - 1, col)),
  })
  switch (key) {
    case "ArrowUp":
      return to(ctrl ? 0 : position - 1, column)
    case "ArrowDown":
      return to(ctrl ? rows - 1 : position + 1, column)
    case "ArrowLeft":
      return to(position, column - 1)
    case "ArrowRight":
      return to(position, column + 1)
    case "Home":
      return to(ctrl ? 0 : position, 0)
    case "End":
      return to(ctrl ? rows - 1 : position, columns - 1)
    case "PageUp":
      return to(position - pageRows, column)
    case "PageDown":
      return to(position + pageRows, column)
    case "Tab": {
      const next = column + (shift ? -1 : 1)
      return next < 0 || next >= columns ? null : to(position, next)
    }
    default:
      return null
  }
}

interface GridOptions {
  readonly session: ImportSession
  readonly columns: readonly GridColumn[]
  readonly rows: RowWindow
  readonly isReadOnly: (column: GridColumn) => boolean
}

/** The cell with the focus, by the index of its column among those shown, and what is typed into it. */
export function useGrid({ session, columns, rows, isReadOnly }: GridOptions) {
  const [active, setActive] = useState<CellPlace>({ position: 0, column: 0 })
  // `select`: begun by Enter, with the whole text selected.
  const [draft, setDraft] = useState<{ readonly text: string; readonly select: boolean } | null>(null)
  const table = useRef<HTMLTableElement>(null)
  const wantsFocus = useRef(false)
  // A field that goes away may lose the focus once more: what it held was taken already.
  const typing = useRef(false)
  const { shown } = session.state
  const place = {
    position: Math.max(0, Math.min(active.position, shown - 1)),
    column: Math.max(0, Math.min(active.column, columns.length - 1)),
  }

  useLayoutEffect(() => {
    if (!wantsFocus.current || draft !== null) return
    wantsFocus.current = false
    table.current?.querySelector<HTMLElement>(`[data-cell="${place.position}:${place.column}"]`)?.focus()
  })

  function go(to: CellPlace): void {
    wantsFocus.current = true
    setActive(to)
  }

  /** The row and the column with the focus, as far as it can be edited. */
  function editable() {
    const row = rows.rowAt(place.position)
    const column = columns[place.column]
    return row === undefined || column === undefined || isReadOnly(column) ? null : { row, column }
  }

  function begin(text: string | null): void {
    const found = editable()
    if (found === null) return
    typing.current = true
    const { row, column } = found
    setDraft(text === null ? { text: row.texts[column.index] ?? "", select: true } : { text, select: false })
  }

  function commit(typed: string): void {
    const found = editable()
    const text = typed.trim()
    typing.current = false
    setDraft(null)
    if (found === null || found.row.texts[found.column.index] === text) return
    const { row, column } = found
    rows.write(row.id, column.index, text)
    void session.edit([{ id: row.id, column: column.index, text }])
  }

  /** The focus goes elsewhere: what was typed is taken. */
  function leave(): void {
    if (typing.current && draft !== null) commit(draft.text)
  }

  async function nextProblem(step: 1 | -1): Promise<void> {
    const column = columns[place.column]?.index ?? 0
    const found = await session.next({ position: place.position, column }, step)
    if (found === null) return
    const at = columns.findIndex((each) => each.index === found.column)
    go({ position: found.position, column: Math.max(0, at) })
  }

  const move = (key: string, ctrl: boolean, shift: boolean) =>
    cellAfter({ key, ctrl, shift }, place, shown, columns.length)

  function handleEditing(event: KeyboardEvent, text: string): boolean {
    const { key } = event
    if (key === "Escape") {
      wantsFocus.current = true
      typing.current = false
      setDraft(null)
      return true
    }
    if ((key !== "Enter" && key !== "Tab") || event.nativeEvent.isComposing) return false
    commit(text)
    const next = key === "Enter" ? (event.shiftKey ? "ArrowUp" : "ArrowDown") : "Tab"
    go(move(next, false, event.shiftKey) ?? place)
    return true
  }

  function handleMoving(event: KeyboardEvent): boolean {
    const { key } = event
    const ctrl = event.ctrlKey || event.metaKey
    if (key === "F8") {
      void nextProblem(event.shiftKey ? -1 : 1)
      return true
    }
    if (ctrl && key.toLowerCase() === "z") {
      wantsFocus.current = true
      void session.undo()
      return true
    }
    // The rest belongs to cells: buttons in a row keep their keys.
    if (event.target instanceof HTMLElement && event.target.dataset["cell"] === undefined) return false
    const to = move(key, ctrl, event.shiftKey)
    if (to !== null) go(to)
    else if (key === "Enter" || key === "F2") begin(null)
    else if (key === "Delete" || key === "Backspace") {
      commit("")
      wantsFocus.current = true
    } else if (key.length === 1 && !ctrl && !event.altKey) begin(key)
    else return false
    return true
  }

  return {
    table,
    place,
    draft,
    setText: (text: string) => setDraft({ text, select: false }),
    leave,
    onKeyDown: (event: KeyboardEvent) => {
      const handled = draft === null ? handleMoving(event) : handleEditing(event, draft.text)
      if (handled) event.preventDefault()
    },
    onMouseDown: (event: MouseEvent) => {
      const to = placeOf(event)
      if (to === null) return
      // The field goes before the browser takes the focus from it.
      leave()
      go(to)
    },
    onDoubleClick: (event: MouseEvent) => placeOf(event) !== null && begin(null),
  }
}

/** The cell an event happened in; null outside of cells, and on a button in one. */
function placeOf({ target }: MouseEvent): CellPlace | null {
  if (!(target instanceof Element) || target.closest("button, input, select") !== null) return null
  const [position, column] = target.closest<HTMLElement>("[data-cell]")?.dataset["cell"]?.split(":") ?? []
  return position === undefined || column === undefined
    ? null
    : { position: Number(position), column: Number(column) }
}
