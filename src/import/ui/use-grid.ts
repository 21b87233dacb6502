import { useLayoutEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from "react"
import type { ImportSession } from "../session/import-session.ts"
import { gridMove, type GridPlace } from "./grid-move.ts"
import type { GridColumn } from "./shown-columns.ts"
import type { RowWindow } from "./use-row-window.ts"

/** Rows that Page up and Page down go by. */
const page = 12

/** The text in the cell that is edited. */
interface Draft {
  readonly text: string
  /** Begun by Enter: the whole text is selected. */
  readonly select: boolean
}

interface GridOptions {
  readonly session: ImportSession
  readonly columns: readonly GridColumn[]
  readonly rows: RowWindow
}

/** The cell with the focus, and what is typed into it. */
export function useGrid({ session, columns, rows }: GridOptions) {
  const [active, setActive] = useState<GridPlace>({ position: 0, column: 0 })
  const [draft, setDraft] = useState<Draft | null>(null)
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

  function go(to: GridPlace): void {
    wantsFocus.current = true
    setActive(to)
  }

  function begin(text: string | null): void {
    const row = rows.rowAt(place.position)
    const column = columns[place.column]
    if (row === undefined || column === undefined) return
    typing.current = true
    setDraft(text === null ? { text: row.texts[column.index] ?? "", select: true } : { text, select: false })
  }

  function commit(text: string): void {
    const row = rows.rowAt(place.position)
    const column = columns[place.column]
    typing.current = false
    setDraft(null)
    if (row === undefined || column === undefined || row.texts[column.index] === text.trim()) return
    rows.write(row.id, column.index, text.trim())
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

  function whileEditing(event: KeyboardEvent, text: string): boolean {
    const { key } = event
    if (key === "Escape") {
      wantsFocus.current = true
      typing.current = false
      setDraft(null)
      return true
    }
    if (key !== "Enter" && key !== "Tab") return false
    if (event.nativeEvent.isComposing) return false
    const lead = key === "Enter" ? (event.shiftKey ? "ArrowUp" : "ArrowDown") : "Tab"
    commit(text)
    go(gridMove({ key: lead, ctrl: false, shift: event.shiftKey }, place, extent) ?? place)
    return true
  }

  function whileMoving(event: KeyboardEvent): boolean {
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
    const to = gridMove({ key, ctrl, shift: event.shiftKey }, place, extent)
    if (to !== null) {
      go(to)
      return true
    }
    if (key === "Enter" || key === "F2") {
      begin(null)
      return true
    }
    if (key === "Delete" || key === "Backspace") {
      commit("")
      wantsFocus.current = true
      return true
    }
    if (key.length === 1 && !ctrl && !event.altKey) {
      begin(key)
      return true
    }
    return false
  }

  const extent = { rows: shown, columns: columns.length, page }

  return {
    table,
    place,
    draft,
    setText: (text: string) => setDraft({ text, select: false }),
    leave,
    onKeyDown: (event: KeyboardEvent) => {
      const ours = draft === null ? whileMoving(event) : whileEditing(event, draft.text)
      if (ours) event.preventDefault()
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
function placeOf({ target }: MouseEvent): GridPlace | null {
  if (!(target instanceof Element) || target.closest("button, input, select") !== null) return null
  const [position, column] = target.closest<HTMLElement>("[data-cell]")?.dataset["cell"]?.split(":") ?? []
  return position === undefined || column === undefined
    ? null
    : { position: Number(position), column: Number(column) }
}
