import { functionalUpdate, type OnChangeFn, useTable } from "@tanstack/react-table"
import { renderHook } from "@testing-library/react"
import { expect, test } from "vitest"
import {
  byValue,
  columnState,
  compareWords,
  fittingColumns,
  type ListColumn,
  listFeatures,
  moveColumn,
  sortingOf,
} from "./list-columns.ts"

interface Row {
  readonly name: string | number | undefined
}

const columns: readonly ListColumn<Row>[] = [
  { id: "name", header: "Name", accessorFn: ({ name }) => name, sortFn: byValue, sortUndefined: "last" },
  { id: "action", header: "Action", cell: () => "Award" },
]

function sorted(names: readonly Row["name"][], sort: string) {
  const data = names.map((name) => ({ name }))
  const initialState = { sorting: sortingOf(columns, sort) }
  const { result } = renderHook(() => useTable({ features: listFeatures, columns, data, initialState }))
  return result.current.getRowModel().rows.map((row) => row.original.name)
}

test("texts sort in the order of the language, with their numbers by size", () => {
  const names = ["b2", "Émile", "B10", "a", "emil", "-", "A"]
  expect(sorted(names, "name")).toEqual(["-", "a", "A", "b2", "B10", "emil", "Émile"])
  expect(compareWords("item 9", "Item 10")).toBeLessThan(0)
})

test("numbers sort by size; rows without a value are last in both directions", () => {
  expect(sorted([10, undefined, 9, 100], "name")).toEqual([9, 10, 100, undefined])
  expect(sorted([10, undefined, 9, 100], "-name")).toEqual([100, 10, 9, undefined])
})

test("sorting by an unknown column, or by one without values, is ignored", () => {
  expect(sortingOf(columns, "-name")).toEqual([{ id: "name", desc: true }])
  expect(sortingOf(columns, "action")).toEqual([])
  expect(sortingOf(columns, "newest")).toEqual([])
  expect(sortingOf(columns, undefined)).toEqual([])
})

test("columns are in their saved order, others behind them; a column moves to the place of another one", () => {
  const declared = ["a", "b", "c", "d"].map((id) => ({ id }))
  const state = { columnOrder: ["c", "gone", "a"] }
  const moved: (readonly string[])[] = []
  const onColumnOrderChange: OnChangeFn<string[]> = (updater) =>
    moved.push(functionalUpdate(updater, state.columnOrder))
  const { result } = renderHook(() =>
    useTable({ features: listFeatures, columns: declared, data: [], state, onColumnOrderChange }),
  )
  const table = result.current
  expect(table.getAllLeafColumns().map(({ id }) => id)).toEqual(["c", "a", "b", "d"])
  moveColumn(table, "c", "b")
  moveColumn(table, "d", "a")
  expect(moved).toEqual([
    ["a", "b", "c", "d"],
    ["c", "d", "a", "b"],
  ])
})

test("columns with a priority are hidden for room: 1 first, of equal ones the last, and no more than necessary", () => {
  const priority = (value: number) => ({ meta: { priority: value } })
  const all = [
    { id: "order", size: 100 },
    { id: "type", size: 100, ...priority(1) },
    { id: "name" },
    { id: "note", size: 100, ...priority(2) },
    { id: "created", size: 100, ...priority(1) },
  ]
  const shown = (room: number, widths = {}) => fittingColumns(all, room, widths).map(({ id }) => id)
  // A column without a width needs 144 px.
  expect(shown(544)).toEqual(["order", "type", "name", "note", "created"])
  expect(shown(543)).toEqual(["order", "type", "name", "note"])
  expect(shown(443)).toEqual(["order", "name", "note"])
  expect(shown(100)).toEqual(["order", "name"])
  expect(shown(544, { order: 120 })).toEqual(["order", "type", "name", "note"])
})

test("touch layouts show their own columns and widths, whatever was arranged with a mouse", () => {
  const all = [
    { id: "name", size: 200, meta: { minLayout: "phone" as const } },
    { id: "points", size: 136, meta: { minLayout: "tablet" as const, touchWidth: 96 } },
    { id: "company" },
    { id: "phone", meta: { hidden: true } },
  ]
  const laidOut = { shown: { name: false, phone: true }, order: ["points", "name"], widths: { name: 300 } }
  const visible = (layout: "wide" | "tablet" | "phone") => {
    const { columnVisibility, columnOrder, columnSizing } = columnState(all, laidOut, layout, Infinity)
    const ids = all.map(({ id }) => id).filter((id) => columnVisibility[id])
    return { ids, columnOrder, columnSizing }
  }
  const { order: columnOrder, widths: columnSizing } = laidOut
  expect(visible("wide")).toEqual({ ids: ["points", "company", "phone"], columnOrder, columnSizing })
  expect(visible("tablet")).toEqual({
    ids: ["name", "points"],
    columnOrder: [],
    columnSizing: { points: 96 },
  })
  expect(visible("phone").ids).toEqual(["name"])
})

test("at least one column is shown", () => {
  const all = [{ id: "name" }, { id: "points" }]
  const laidOut = { shown: { name: false, points: false }, order: [], widths: {} }
  expect(columnState(all, laidOut, "wide", Infinity).columnVisibility).toEqual({ name: true, points: false })
})
