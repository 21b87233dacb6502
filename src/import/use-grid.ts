import { useWindowEvent } from "@mantine/hooks"
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
} from "react"
import type { ImportSession } from "./import-session.ts"
import type { Column } from "./sheet-data.ts"
import type { CellPlace, FieldView, RowView, SheetView } from "./sheet-view.ts"

export interface GridColumn extends Column {
  readonly index: number
  readonly spec: FieldView | undefined
  /** In px; the last column takes the remaining space. */
  readonly size: number
  readonly meta?: { readonly priority: number }
}

/** In px: the column of row numbers, and the one of actions. */
export const numberWidth = 76
export const actionsWidth = 148

/** Unused columns are shown up to this total. */
const mostColumns = 12

/** Columns to render, in file order: the used ones, and others if there is room or `all` is set. */
export function shownColumns(
  { columns, fields }: Pick<SheetView, "columns" | "fields">,
  all: boolean,
  fixed = false,
): readonly GridColumn[] {
  const used = columns.filter(({ field }) => field !== null).length
  let spare = all ? columns.length : Math.max(0, mostColumns - used)
  return columns.flatMap((column, index): GridColumn[] => {
    const spec = fields.find(({ key }) => key === column.field)
    if (column.field === null) {
      if (spare === 0) return []
      spare -= 1
    }
    // Unused columns are hidden first, unless they explain a failed row or are requested.
    if (spec === undefined) {
      // On a phone the cell to correct must be visible together with it.
      const size = fixed ? (window.innerWidth < 640 ? 140 : 280) : 120
      return [{ ...column, index, spec, size, ...(!fixed && !all && { meta: { priority: 1 } }) }]
    }
    return [{ ...column, index, spec, size: widthOf(spec) }]
  })
}

/** Widths for which a file of awards fits next to the panel from 1280 px on, with an e-mail of 31 characters. */
function widthOf({ key, type }: FieldView): number {
  // The longest word of a finding fits.
  if (type === "number") return 116
  if (key === "reference") return 132
  // On a tablet two such columns fit side by side.
  return type === "id" || key === "email" ? (window.innerWidth < 900 ? 192 : 232) : 144
}

const margin = 60

/** The rows in view, fetched from the worker. Stale rows stay until the new ones arrive. */
export function useRowWindow(
  { read, state: { revision, shown } }: ImportSession,
  first: number,
  last: number,
) {
  const [loaded, setLoaded] = useState({ from: 0, rows: [] as readonly RowView[], revision: -1 })
  const end = Math.min(last, shown - 1)
  const covered = loaded.from <= first && end < loaded.from + loaded.rows.length
  const fresh = covered && loaded.revision === revision
  useEffect(() => {
    if (fresh || shown === 0) return undefined
    let wanted = true
    const from = Math.max(0, first - margin)
    const fetchRows = async () => {
      const rows = await read((sheet) => sheet.window(from, last - from + margin))
      if (wanted) setLoaded({ from, rows, revision })
    }
    // The sheet may be closed meanwhile.
    fetchRows().catch(() => {})
    return () => {
      wanted = false
    }
  }, [read, fresh, first, last, revision, shown])

  return {
    rowAt: (position: number) => loaded.rows[position - loaded.from],
    /** Shows a text immediately, before the sheet has checked it. */
    write: (id: number, column: number, text: string) => {
      const written = (row: RowView) => ({
        ...row,
        texts: row.texts.with(column, text),
        shown: row.shown.with(column, text),
        problems: row.problems.filter((problem) => problem.column !== column),
      })
      setLoaded((now) => ({ ...now, rows: now.rows.map((row) => (row.id === id ? written(row) : row)) }))
    },
  }
}

const pageRows = 12

type Step = readonly [rows: number, columns: number]

/** The movement for a key, in rows and columns; Infinity to the end. */
function stepOf(key: string, ctrl: boolean, shift: boolean): Step | undefined {
  const steps: Readonly<Record<string, Step>> = {
    ArrowUp: [ctrl ? -Infinity : -1, 0],
    ArrowDown: [ctrl ? Infinity : 1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    Home: [ctrl ? -Infinity : 0, -Infinity],
    End: [ctrl ? Infinity : 0, Infinity],
    PageUp: [-pageRows, 0],
    PageDown: [pageRows, 0],
    Tab: [0, shift ? -1 : 1],
  }
  return steps[key]
}

/** Clamps an index to the available range. */
export const within = (value: number, count: number) => Math.max(0, Math.min(value, count - 1))

/** The cell that a key moves to, null for none. Tab leaves the grid after a row, so that the focus is not trapped. */
function placeAfter(
  place: CellPlace,
  { key, ctrl, shift }: { readonly key: string; readonly ctrl: boolean; readonly shift: boolean },
  size: { readonly rows: number; readonly columns: number },
): CellPlace | null {
  const step = stepOf(key, ctrl, shift)
  if (step === undefined) return null
  const column = place.column + step[1]
  if (key === "Tab" && (column < 0 || column >= size.columns)) return null
  return { position: within(place.position + step[0], size.rows), column: within(column, size.columns) }
}

/** Returns a function that moves the focus to the cell at `place` after the next render with its row. */
function usePlaceFocus(
  table: RefObject<HTMLTableElement | null>,
  place: CellPlace,
  state: { readonly takesFocus: boolean; readonly isEditing: boolean; readonly hasRow: boolean },
): () => void {
  // The element that opened the grid is removed, and the focus with it. Input before the first row is loaded would be
  // lost.
  const wantsFocus = useRef(state.takesFocus && document.activeElement === document.body)
  const hasRows = useRef(false)
  useLayoutEffect(() => {
    hasRows.current ||= state.hasRow
    if (!wantsFocus.current || state.isEditing || !hasRows.current) return
    const cell = table.current?.querySelector<HTMLElement>(`[data-cell="${place.position}:${place.column}"]`)
    if (!cell) return
    wantsFocus.current = false
    cell.focus()
  })
  return () => {
    wantsFocus.current = true
  }
}

/** F8 goes to the next problem, with Shift to the previous one, from anywhere except below an open dialog. */
function useProblemKey(onStep: (step: 1 | -1) => void): void {
  useWindowEvent("keydown", (event) => {
    if (event.key !== "F8" || event.defaultPrevented) return
    if (document.querySelector("dialog[open], [role=dialog]") !== null) return
    event.preventDefault()
    onStep(event.shiftKey ? -1 : 1)
  })
}

interface GridProps {
  session: ImportSession
  columns: readonly GridColumn[]
  rows: ReturnType<typeof useRowWindow>
  isReadOnly: (column: GridColumn) => boolean
  /**
   * Takes the focus initially, unless another element has it. Not for a pasted sheet: a second paste would go into it.
   */
  takesFocus: boolean
  place: CellPlace
  onPlace: (place: CellPlace) => void
}

/** Focus (`place`, with its column among those shown) and editing of the grid's cells. */
export function useGrid(props: GridProps) {
  const { session, columns, rows, isReadOnly, place, onPlace } = props
  const { change, read } = session
  // `select`: started with Enter, with the text selected.
  const [draft, setDraft] = useState<{ readonly text: string; readonly select: boolean } | null>(null)
  const table = useRef<HTMLTableElement>(null)
  const requestFocus = usePlaceFocus(table, place, {
    takesFocus: props.takesFocus,
    isEditing: draft !== null,
    hasRow: rows.rowAt(place.position) !== undefined,
  })
  // Removing the field blurs it a second time; its text is already written.
  const typing = useRef(false)
  const { shown } = session.state

  function go(to: CellPlace): void {
    requestFocus()
    onPlace(to)
  }

  const cellAfter = (key: string, ctrl: boolean, shift: boolean) =>
    placeAfter(place, { key, ctrl, shift }, { rows: shown, columns: columns.length })

  function editable() {
    const row = rows.rowAt(place.position)
    const column = columns[place.column]
    if (row === undefined || column === undefined || isReadOnly(column)) return null
    return { id: row.id, column: column.index, text: row.texts[column.index] ?? "" }
  }

  function begin(text: string | null): void {
    const found = editable()
    if (found === null) return
    typing.current = true
    setDraft({ text: text ?? found.text, select: text === null })
  }

  function commit(typed: string): void {
    const found = editable()
    const text = typed.trim()
    typing.current = false
    setDraft(null)
    if (found === null || found.text === text) return
    const { id, column } = found
    rows.write(id, column, text)
    void change((sheet) => sheet.edit([{ id, column, text }]))
  }

  function leave(): void {
    if (typing.current && draft !== null) commit(draft.text)
  }

  async function nextProblem(step: 1 | -1): Promise<void> {
    const from = { position: place.position, column: columns[place.column]?.index ?? 0 }
    const found = await read((sheet) => sheet.next(from, step))
    if (found === null) return
    const column = columns.findIndex(({ index }) => index === found.column)
    go({ position: found.position, column: Math.max(0, column) })
  }

  function handleEditing(event: KeyboardEvent, text: string): boolean {
    const { key, shiftKey } = event
    if (key === "Escape") {
      requestFocus()
      typing.current = false
      setDraft(null)
      return true
    }
    if ((key !== "Enter" && key !== "Tab") || event.nativeEvent.isComposing) return false
    commit(text)
    const down = shiftKey ? "ArrowUp" : "ArrowDown"
    go(cellAfter(key === "Enter" ? down : "Tab", false, shiftKey) ?? place)
    return true
  }

  function handleMoving(event: KeyboardEvent): boolean {
    const { key } = event
    const ctrl = event.ctrlKey || event.metaKey
    if (ctrl && key.toLowerCase() === "z") {
      requestFocus()
      void change((sheet) => sheet.undo())
      return true
    }
    // All other keys belong to cells: buttons in a row handle their own.
    if (event.target instanceof HTMLElement && event.target.dataset["cell"] === undefined) return false
    const to = cellAfter(key, ctrl, event.shiftKey)
    if (to !== null) go(to)
    else if (key === "Enter" || key === "F2") begin(null)
    else if (key === "Delete" || key === "Backspace") {
      commit("")
      requestFocus()
    } else if (key.length === 1 && !ctrl && !event.altKey) begin(key)
    else return false
    return true
  }

  useProblemKey((step) => {
    leave()
    void nextProblem(step)
  })

  return {
    table,
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
      // Close the field before the browser moves the focus.
      leave()
      go(to)
    },
    onDoubleClick: (event: MouseEvent) => placeOf(event) !== null && begin(null),
  }
}

function placeOf({ target }: MouseEvent): CellPlace | null {
  if (!(target instanceof Element) || target.closest("button, input, select") !== null) return null
  const [position, column] = target.closest<HTMLElement>("[data-cell]")?.dataset["cell"]?.split(":") ?? []
  return position === undefined || column === undefined
    ? null
    : { position: Number(position), column: Number(column) }
}
