import { useQueries, useQuery, type UseQueryResult } from "@tanstack/react-query"
import type { Carrier, Recognised } from "../../../../contract/carriers.ts"
import type { UsedNumbers } from "../../../../contract/orders.ts"
import { limits } from "../../../../contract/limits.ts"
import { carriersQuery, recogniseQuery } from "../../../api/carriers.ts"
import { usedNumbersQuery } from "../../../api/orders.ts"

/** What is known of the numbers in a file. */
export interface KnownNumbers {
  readonly carriers: readonly Carrier[]
  readonly recognised: readonly Recognised[]
  /** Where numbers stand already, as far as was looked. */
  readonly used: UsedNumbers["used"]
  readonly reading: boolean
  readonly error: Error | null
  readonly retry: () => void
}

const noCarriers: readonly Carrier[] = []

/**
 * Whose numbers are, and where they stand already: asked in parts, and of the desk alone.
 * @param without numbers of rows that name no carrier
 */
export function useNumbers(numbers: readonly string[], without: readonly string[]): KnownNumbers {
  const settings = useQuery(carriersQuery)
  const recognitions = useQueries({
    queries: parts(without).map((part) => recogniseQuery(part)),
    combine: (results) => together(results, (data) => data),
  })
  const uses = useQueries({
    queries: parts(numbers).map((part) => ({ ...usedNumbersQuery(part), staleTime: 60_000 })),
    combine: (results) => together(results, ({ used }) => used),
  })
  return {
    carriers: settings.data?.carriers ?? noCarriers,
    recognised: recognitions.found,
    used: uses.found,
    reading: settings.isLoading || recognitions.reading || uses.reading,
    error: settings.error ?? recognitions.error ?? uses.error,
    retry: () => {
      if (settings.error !== null) void settings.refetch()
      recognitions.retry()
      uses.retry()
    },
  }
}

/** Several answers as one list. */
function together<T, E>(results: readonly UseQueryResult<T>[], listOf: (data: T) => readonly E[]) {
  return {
    found: results.flatMap(({ data }) => (data === undefined ? [] : listOf(data))),
    reading: results.some(({ isLoading }) => isLoading),
    error: results.find(({ error }) => error !== null)?.error ?? null,
    retry: () => {
      for (const each of results) if (each.error !== null) void each.refetch()
    },
  }
}

/** As many numbers as are looked at in one request. */
function parts(numbers: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(numbers.length / limits.numbersAtOnce)
  return Array.from({ length: count }, (_, at) =>
    numbers.slice(at * limits.numbersAtOnce, (at + 1) * limits.numbersAtOnce),
  )
}
