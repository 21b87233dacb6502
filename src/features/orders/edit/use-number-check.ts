import { useDebouncedValue } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import type { UsedNumbers } from "../../../../contract/orders.ts"
import { isRounded } from "../../../../contract/job-rows.ts"
import { carriersQuery, recogniseQuery } from "../../../api/carriers.ts"
import { usedNumbersQuery } from "../../../api/orders.ts"

/** What is known of a tracking number while it is typed. None of it asks the service. */
export interface NumberCheck {
  /** Name of the carrier it is recognised as. */
  readonly carrier: string | undefined
  /** Carriers it may be of, where a person has to say. */
  readonly candidates: readonly { readonly code: string; readonly name: string }[]
  /** Where else it stands already. */
  readonly used: UsedNumbers["used"]
  /** What is shown is about the number as it stands. */
  readonly settled: boolean
}

/**
 * Looks a tracking number up when the typing rests: whose it is, and whether another order has it.
 * @param before the order's own number, about which nothing is asked
 */
export function useNumberCheck(orderId: string, typed: string, before: string): NumberCheck {
  const number = typed.trim()
  const [rested] = useDebouncedValue(number, 250)
  const asks = rested !== "" && rested.length <= 200 && !isRounded(rested)
  const numbers = asks ? [rested] : []
  const carriers = useQuery(carriersQuery).data?.carriers ?? []
  const recognised = useQuery({ ...recogniseQuery(numbers), enabled: asks })
  const isNew = asks && rested !== before
  const used = useQuery({ ...usedNumbersQuery(isNew ? numbers : [], orderId), enabled: isNew })
  const found = recognised.data?.[0]
  const known = rested === number ? found : undefined
  const asked = known !== undefined && known.chosen === null ? known.carriers : []
  return {
    carrier: carriers.find(({ code }) => code === known?.chosen)?.name,
    candidates: carriers.filter(({ code, offered }) => offered && asked.includes(code)),
    used: isNew && rested === number ? (used.data?.used ?? []) : [],
    settled: rested === number && !(asks && recognised.isFetching) && !(isNew && used.isFetching),
  }
}
