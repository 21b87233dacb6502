import { queryOptions } from "@tanstack/react-query"
import { usedNumbers, type UsedNumbers } from "../../contract/desk/used-number.ts"
import { apiPath } from "./path.ts"
import { request } from "./request.ts"

/**
 * Where tracking numbers (at most 500) stand already, on other orders than `except`: among our own rows and the orders
 * that were read lately. No upstream request; not found means not among what was looked at.
 */
export function usedNumbersQuery(numbers: readonly string[], except?: string) {
  return queryOptions({
    queryKey: ["used-numbers", numbers, except],
    queryFn: async ({ signal }): Promise<UsedNumbers> => {
      const path = apiPath("orders", "used-numbers")
      const body = { numbers, ...(except === undefined ? {} : { except }) }
      return (await request({ method: "POST", path, body, schema: usedNumbers, signal })).data
    },
    enabled: numbers.length > 0,
    staleTime: 0,
    gcTime: 0,
  })
}
