import { limits } from "../../../../contract/limits.ts"

/** Orders as the address of the print page names them; as many as are printed at once. */
export function printable(orderIds: readonly string[]): { readonly ids: string; readonly count: number } {
  const some = orderIds.slice(0, limits.ordersAtOnce)
  return { ids: some.join(","), count: some.length }
}
