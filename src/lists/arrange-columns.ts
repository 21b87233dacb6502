import { leastWidth, mostWidth } from "../../contract/views.ts"
import { type ColumnChange, movedColumn } from "./list-columns.ts"

/** Width of the resize area at a column's right edge, in px. */
const edge = 8
/** Pointer movement below which a press is a click, in px. */
const slop = 6

type Head = HTMLTableCellElement

/**
 * Drags a column header: the right edge resizes the column, the rest moves it. `done` receives the change on release;
 * Escape cancels.
 */
export function arrangeColumns(
  down: { readonly target: EventTarget; readonly clientX: number },
  order: readonly string[],
  done: (change: ColumnChange) => void,
): void {
  const head = down.target instanceof Element ? down.target.closest<Head>("th[data-column]") : null
  const table = head?.closest("table")
  if (head === null || table == null) return
  const ends = head.getBoundingClientRect()
  const follow = down.clientX >= ends.right - edge ? followWidth : followPlace
  const drag = follow({ head, table, from: down.clientX, width: ends.width, order, done })
  const until = new AbortController()
  const listening = { signal: until.signal, capture: true }
  const finish = (confirmed: boolean) => {
    until.abort()
    drag.end(confirmed)
  }
  document.addEventListener(
    "pointermove",
    (event) => {
      // The pointer was released before this chunk was loaded.
      if (event.buttons === 0) finish(false)
      else drag.move(event.clientX)
    },
    listening,
  )
  document.addEventListener("pointerup", () => finish(true), listening)
  document.addEventListener("pointercancel", () => finish(false), listening)
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape") return
      event.stopPropagation()
      finish(false)
    },
    listening,
  )
}

interface Press {
  readonly head: Head
  readonly table: HTMLTableElement
  readonly from: number
  readonly width: number
  readonly order: readonly string[]
  readonly done: (change: ColumnChange) => void
}

interface Drag {
  readonly move: (x: number) => void
  readonly end: (confirmed: boolean) => void
}

function followWidth({ head, table, from, width, done }: Press): Drag {
  const col = table.querySelectorAll("col")[head.cellIndex]
  const before = col?.style.width ?? ""
  let now = width
  return {
    move: (x) => {
      now = Math.round(Math.min(mostWidth, Math.max(leastWidth, width + x - from)))
      col?.style.setProperty("width", `${now}px`)
    },
    end: (confirmed) => {
      if (confirmed && now !== width) done({ widths: { [idOf(head)]: now } })
      else col?.style.setProperty("width", before)
      if (now !== width) swallowClick()
    },
  }
}

function followPlace({ head, table, from, order, done }: Press): Drag {
  const heads = [...table.querySelectorAll<Head>("th[data-column]")]
  let over: Head | undefined
  const mark = (next: Head | undefined) => {
    if (over === next) return
    delete over?.dataset.drop
    over = next
    if (over !== undefined) over.dataset.drop = over.cellIndex < head.cellIndex ? "before" : "after"
  }
  return {
    move: (x) => {
      if (over === undefined && Math.abs(x - from) < slop) return
      head.dataset.moving = ""
      mark(heads.find((each) => x < each.getBoundingClientRect().right) ?? heads.at(-1))
    },
    end: (confirmed) => {
      const target = over
      mark(undefined)
      delete head.dataset.moving
      if (target === undefined) return
      swallowClick()
      if (confirmed && target !== head)
        done({ order: movedColumn(order, idOf(head), order.indexOf(idOf(target))) })
    },
  }
}

const idOf = (head: Head) => head.dataset.column ?? ""

/** Suppresses the click after a drag, which would sort. */
function swallowClick(): void {
  const until = new AbortController()
  document.addEventListener("click", swallow, { capture: true, once: true, signal: until.signal })
  setTimeout(() => until.abort())
}

function swallow(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}
