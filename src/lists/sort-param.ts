import type { SortingState } from "@tanstack/react-table"

/** The order of a list as it stands in the address: a column, with a minus before it for largest first. */
export type SortParam = string

/** The order in TanStack Table's terms; an unknown column is ignored by the table. */
export function sortingOf(sort: SortParam | undefined): SortingState {
  if (sort === undefined || sort === "" || sort === "-") return []
  return sort.startsWith("-") ? [{ id: sort.slice(1), desc: true }] : [{ id: sort, desc: false }]
}

/** The same the other way round; undefined is the service's own order. */
export function sortParamOf(sorting: SortingState): SortParam | undefined {
  const [first] = sorting
  return first === undefined ? undefined : `${first.desc ? "-" : ""}${first.id}`
}
