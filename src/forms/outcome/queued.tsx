import { useQuery } from "@tanstack/react-query"
import type { Api } from "../../../contract/status.ts"
import { budgetQuery } from "../../api/status.ts"
import { Notice } from "../../ui/notice.tsx"
import { useNow } from "../../ui/hooks.ts"

interface QueuedProps {
  /** What is under way. */
  doing: string
  /** It was sent once and proven not to have happened. */
  again: boolean
  /** Where that was looked up: "in the ledger". */
  lookup: string
  /** The service it goes to. */
  api?: Api
}

/** A row that waits for its turn: with a countdown when the minute's requests are used up. */
export function Queued({ doing, again, lookup, api = "program" }: QueuedProps) {
  const { data, dataUpdatedAt } = useQuery(budgetQuery)
  const now = useNow("second")
  const budget = data?.find((each) => each.api === api)
  const spent = budget !== undefined && budget.left <= 0
  const seconds = spent
    ? Math.max(1, Math.round((dataUpdatedAt + budget.next_in_ms - now) / 1000))
    : undefined
  return (
    <Notice tone="info" title={doing}>
      {again && `It was looked up ${lookup} and did not happen, so it is sent again. `}
      {seconds === undefined
        ? "It is being sent."
        : `The request limit for this minute is reached. The next request goes out in ${seconds} s.`}
    </Notice>
  )
}
