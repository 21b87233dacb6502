import { useTable } from "@tanstack/react-table"
import { renderHook } from "@testing-library/react"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import {
  byValue,
  columnState,
  compareWords,
  fittingColumns,
  inOrder,
  type ListColumn,
  listFeatures,
  movedColumn,
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

test("columns keep their saved order when others are added or removed", () => {
  const ids = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f"))
  fc.assert(
    fc.property(ids, ids, (declared, order) => {
      const columns = declared.map((id) => ({ id }))
      const shown = inOrder(columns, order).map(({ id }) => id)
      expect(shown.toSorted()).toEqual(declared.toSorted())
      expect(shown.filter((id) => order.includes(id))).toEqual(order.filter((id) => declared.includes(id)))
    }),
  )
  const declared = ["a", "b", "c", "d"].map((id) => ({ id }))
  expect(inOrder(declared, ["c", "a"]).map(({ id }) => id)).toEqual(["c", "d", "a", "b"])
})

test("a column moves to a place counted without it", () => {
  expect(movedColumn(["a", "b", "c"], "a", 2)).toEqual(["b", "c", "a"])
  expect(movedColumn(["a", "b", "c"], "c", 0)).toEqual(["c", "a", "b"])
  expect(movedColumn(["a", "b", "c"], "b", 1)).toEqual(["a", "b", "c"])
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
    return { ids: columnOrder.filter((id) => columnVisibility[id]), columnSizing }
  }
  expect(visible("wide")).toEqual({ ids: ["points", "company", "phone"], columnSizing: { name: 300 } })
  expect(visible("tablet")).toEqual({ ids: ["name", "points"], columnSizing: { points: 96 } })
  expect(visible("phone").ids).toEqual(["name"])
})

test("at least one column is shown", () => {
  const all = [{ id: "name" }, { id: "points" }]
  const laidOut = { shown: { name: false, points: false }, order: [], widths: {} }
  expect(columnState(all, laidOut, "wide", Infinity).columnVisibility).toEqual({ name: true, points: false })
})
