import { useMediaQuery } from "@mantine/hooks"
import { type ReactNode, type RefObject, useCallback, useLayoutEffect, useMemo, useState } from "react"
import { flushSync } from "react-dom"
import * as z from "zod/mini"
import { type ColumnLayout, columnLayout, type ListView } from "../../contract/views.ts"
import { saveChoice } from "../lib/external-value.ts"
import { once } from "../lib/once.ts"

/** How rows are laid out: one line each with a mouse, two lines of 56 px for fingers and in narrow windows. */
export type ListLayout = "wide" | "tablet" | "phone"

/** The layout for this window and pointer: a phone by its width, a tablet by its coarse pointer or its width. */
export function useListLayout(): ListLayout {
  const phone = useMediaQuery("(width < 640px)", undefined, { getInitialValueInEffect: false })
  const tablet = useMediaQuery("(pointer: coarse), (width < 900px)", undefined, {
    getInitialValueInEffect: false,
  })
  return phone ? "phone" : tablet ? "tablet" : "wide"
}

/** Room that a column without a width of its own needs to be read, in px. */
const usualRoom = 144

interface Fitted {
  /** px; a column without one shares what the others leave. */
  readonly width?: number
  /** Gives way before the table scrolls sideways, 1 first; of equal ones the last. */
  readonly yields?: number
}

/** Room in the list that was measured last: the next one most likely has the same, and is laid out once for it. */
let latestRoom = Infinity

/** The columns for which there is room in an element, beside `taken` px of it. */
export function useFittingColumns<T extends Fitted>(
  columns: readonly T[],
  element: RefObject<HTMLElement | null>,
  taken: number,
): readonly T[] {
  const [room, setRoom] = useState(latestRoom)
  const fitting = useMemo(() => fittingColumns(columns, room), [columns, room])
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return undefined
    // Before the paint; the room is that of the columns that fit, so that nothing is drawn for a change within it.
    const observer = new ResizeObserver(() => {
      const now = current.clientWidth - taken
      latestRoom = now
      flushSync(() =>
        setRoom((before) =>
          fittingColumns(columns, now).length === fittingColumns(columns, before).length ? before : now,
        ),
      )
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [columns, element, taken])
  return fitting
}

/** Those of the columns that stay where there is so much room, in px. */
export function fittingColumns<T extends Fitted>(columns: readonly T[], room: number): readonly T[] {
  let least = columns.reduce((sum, { width = usualRoom }) => sum + width, 0)
  const order = columns.toReversed().toSorted((one, other) => (one.yields ?? 0) - (other.yields ?? 0))
  const gone = order.filter(({ yields, width = usualRoom }) => {
    const goes = yields !== undefined && least > room
    if (goes) least -= width
    return goes
  })
  return gone.length === 0 ? columns : columns.filter((column) => !gone.includes(column))
}

/** One column as a feature declares it, at module scope where it can. */
export interface ListColumn<T> {
  readonly id: string
  readonly label: string
  readonly end?: boolean
  readonly width?: number
  /** Its width in a touch layout, where the others need the rest. */
  readonly narrow?: number
  /** Right-aligned on a phone only. */
  readonly phoneEnd?: boolean
  /** Gives way in a narrow window, 1 first. */
  readonly yields?: number
  readonly hidden?: boolean
  /** The narrowest touch layout that shows it; touch layouts leave the choice of columns aside. */
  readonly touch?: "tablet" | "phone"
  /** What the column is sorted by, for lists that are ever complete; undefined goes last in both directions. */
  readonly value?: (row: T) => string | number | undefined
  /** What is shown. A text needs no element of its own: its cell cuts it and has all of it in its `title`. */
  readonly cell?: (row: T, layout: ListLayout) => ReactNode
  /** In place of `cell`: a time, shown as how long ago it was, or by the `calendar`, and kept current by the list. */
  readonly time?: (row: T) => string | null | undefined
  readonly calendar?: boolean
  /** Class names of the cell. */
  readonly look?: string | ((row: T, layout: ListLayout) => string)
  readonly descFirst?: boolean
  /** What a row offers while it is pointed at, at the end of this cell; of another one while this column is hidden. */
  readonly action?: (row: T) => ReactNode
}

const words = once(() => new Intl.Collator("en-AU", { numeric: true, sensitivity: "base" }))

/** The order of words in a list. */
export const compareWords = (one: string, other: string) => words().compare(one, other)

/** The order of a list that may be sorted: a column's id, with a minus before it for largest first. */
export interface Sorting {
  readonly sort: string | undefined
  readonly onSort: (sort: string | undefined) => void
}

/** Where the next row with a value goes; values that are equal in order share it. */
interface Place {
  next: number
}

/** A value, and how many rows have it. */
interface Sortable {
  readonly value: string | number
  readonly plain: string | undefined
  rows: number
  place: Place
}

/** ASCII from the space on by code units that sort: signs come before digits and letters, and both cases are one. */
const units = once(() => {
  const ascii = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at))
  const signs = ascii.filter((character) => /[^a-z\d]/i.test(character)).toSorted(compareWords)
  return ascii.map((one) => (signs.includes(one) ? signs.indexOf(one) : one.toLowerCase().charCodeAt(0)))
})
const [nought, nine] = [48, 57]
/** Longer runs of digits are not one number to the collator. */
const longestNumber = 254

/** An ASCII text such that its order by code units is that by language, which is ten times as dear to find. */
function plainText(text: string): string | undefined {
  if (text.length > longestNumber) return undefined
  const isDigit = (at: number) => text.charCodeAt(at) >= nought && text.charCodeAt(at) <= nine
  const found: number[] = []
  const order = units()
  for (let at = 0; at < text.length; at += 1) {
    const unit = order[text.charCodeAt(at) - 32]
    if (unit === undefined) return undefined
    found.push(isDigit(at) ? nought : unit)
    if (!isDigit(at)) continue
    // A number: the longer one is the larger one, without the noughts before it.
    while (text.charCodeAt(at) === nought) at += 1
    const digits = found.push(0) - 1
    for (; isDigit(at); at += 1) found.push(text.charCodeAt(at))
    found[digits] = found.length - digits - 1
    at -= 1
  }
  return String.fromCharCode(...found)
}

function compare({ value: one, plain }: Sortable, { value: other, plain: beside }: Sortable): number {
  if (typeof one === "number" && typeof other === "number") return one - other
  if (plain === undefined || beside === undefined) return compareWords(String(one), String(other))
  if (plain === beside) return 0
  return plain < beside ? -1 : 1
}

/** Rows in the order of a column; what it has no value for goes last in both directions. */
export function sortRows<T>(
  rows: readonly T[],
  columns: readonly ListColumn<T>[],
  sort: string | undefined,
): readonly T[] {
  const valueOf = columns.find(({ id }) => id === sort?.replace(/^-/, ""))?.value
  if (valueOf === undefined) return rows
  const last: Place = { next: 0 }
  // Each value is worked out once a row, and compared once however many rows have it.
  const known = new Map<string | number, Sortable>()
  const valued = rows.map((row) => {
    const value = valueOf(row)
    if (value === undefined) return undefined
    const seen = known.get(value)
    if (seen !== undefined) {
      seen.rows += 1
      return seen
    }
    const found: Sortable = {
      value,
      plain: typeof value === "string" ? plainText(value) : undefined,
      rows: 1,
      place: last,
    }
    known.set(value, found)
    return found
  })
  const sign = sort?.startsWith("-") ? -1 : 1
  let before: Sortable | undefined
  for (const each of [...known.values()].toSorted((one, other) => sign * compare(one, other))) {
    each.place = before !== undefined && compare(before, each) === 0 ? before.place : { next: last.next }
    last.next += each.rows
    before = each
  }
  const sorted = Array<T>(rows.length)
  rows.forEach((row, at) => (sorted[(valued[at]?.place ?? last).next++] = row))
  return sorted
}

/** What a click on a column's head asks for: its usual direction, then the other one, then none. */
export function nextSort<T>({ id, descFirst = false }: ListColumn<T>, sort: string | undefined) {
  const [first, second] = descFirst ? [`-${id}`, id] : [id, `-${id}`]
  if (sort === first) return second
  return sort === second ? undefined : first
}

/** Another choice, order or widths of columns; undefined puts all of it back. */
export type ColumnChange = Partial<ColumnLayout> | undefined

const asDeclared: ColumnLayout = { shown: {}, order: [], widths: {} }
const stored = z.catch(columnLayout, asDeclared)

/**
 * How somebody laid out the columns of a list of this name, kept in this browser as departures from the default. A
 * `view` has a layout of its own: what is changed there lasts until the view is saved or left.
 */
export function useColumnLayout(list: string = "", view?: ListView) {
  const key = `laurel-columns-${list}`
  const [own, setOwn] = useState<ColumnLayout>(() => stored.parse(read(key)))
  const [ofView, setOfView] = useState<{ view: ListView | undefined; layout: ColumnLayout }>()
  const layout = view === undefined ? own : ofView?.view === view ? ofView.layout : view.columns
  const change = useCallback(
    (next: ColumnChange) => {
      const widths = { ...layout.widths, ...next?.widths }
      const changed = next === undefined ? asDeclared : { ...layout, ...next, widths }
      setOfView({ view, layout: changed })
      if (view !== undefined) return
      setOwn(changed)
      saveChoice(key, JSON.stringify(changed))
    },
    [layout, view, key],
  )
  return [layout, change] as const
}

/** Columns in the order somebody gave them; one that is new since stays behind the one it is declared behind. */
export function inOrder<T extends { readonly id: string }>(
  columns: readonly T[],
  order: readonly string[],
): readonly T[] {
  if (order.length === 0) return columns
  const placed = order.flatMap((id) => columns.find((column) => column.id === id) ?? [])
  for (const [at, column] of columns.entries()) {
    if (order.includes(column.id)) continue
    const before = placed.findIndex(({ id }) => id === columns[at - 1]?.id)
    placed.splice(before + 1, 0, column)
  }
  return placed
}

/** The order once a column stands at another place, counted without it. */
export function movedColumn(order: readonly string[], id: string, to: number): string[] {
  return order.filter((each) => each !== id).toSpliced(to, 0, id)
}

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "{}")
  } catch {
    return {}
  }
}

/** Whether a column is shown: by its touch layout, else by choice, else by default. */
export function isShown<T>(column: ListColumn<T>, { shown }: ColumnLayout, layout: ListLayout): boolean {
  if (layout === "phone") return column.touch === "phone"
  if (layout === "tablet") return column.touch !== undefined
  return shown[column.id] ?? column.hidden !== true
}

/** The columns shown, in their order, one of them with the action of a hidden one: the last with room for it. */
export function withAction<T>(
  columns: readonly ListColumn<T>[],
  shown: readonly ListColumn<T>[],
): readonly ListColumn<T>[] {
  const acting = columns.find(({ action }) => action !== undefined)
  if (acting?.action === undefined || shown.some(({ id }) => id === acting.id)) return shown
  const { action } = acting
  const host = shown.findLast(({ end }) => end !== true) ?? shown.at(-1)
  return shown.map((column) => (column === host ? { ...column, action } : column))
}

/** The columns shown, in their order. At least one stays, whatever was chosen before columns changed. */
export function useShownColumns<T>(
  /** Stable: at module scope or memoised. */
  columns: readonly ListColumn<T>[],
  laidOut: ColumnLayout,
  layout: ListLayout,
): readonly ListColumn<T>[] {
  return useMemo(() => {
    const { order, widths } = laidOut
    const shown = columns.filter((column) => isShown(column, laidOut, layout))
    const some = shown.length > 0 ? shown : columns.slice(0, 1)
    // Touch layouts leave what was arranged with a mouse aside.
    if (layout !== "wide")
      return some.map(({ narrow, phoneEnd, ...rest }) => ({
        ...rest,
        ...(narrow && { width: narrow }),
        ...(phoneEnd && layout === "phone" && { end: true }),
      }))
    return withAction(columns, inOrder(some, order)).map((column) => {
      const width = widths[column.id]
      return width === undefined ? column : { ...column, width }
    })
  }, [columns, laidOut, layout])
}
