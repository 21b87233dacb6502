import { useQuery } from "@tanstack/react-query"
import { budgetQuery } from "../../api/budget.ts"
import { Notice } from "../../ui/notice.tsx"
import { useNow } from "../../ui/use-now.ts"

interface QueuedProps {
  /** What is under way. */
  doing: string
  /** It was sent once and proven not to have happened. */
  again: boolean
  /** Where that was looked up: "in the ledger". */
  lookup: string
}

/** A row that waits for its turn: with a countdown when the minute's requests are used up. */
export function Queued({ doing, again, lookup }: QueuedProps) {
  const { data, dataUpdatedAt } = useQuery(budgetQuery)
  const now = useNow("second")
  const program = data?.find(({ api }) => api === "program")
  const spent = program !== undefined && program.left <= 0
  const seconds = spent
    ? Math.max(1, Math.round((dataUpdatedAt + program.next_in_ms - now) / 1000))
    : undefined
  return (
    <Notice tone="info" title={doing}>
      {again && `It was looked up ${lookup} and did not happen, so it is sent again. `}
      {seconds === undefined
        ? "It is being sent."
        : `The minute's requests are used up. The next one goes in ${seconds} s.`}
    </Notice>
  )
}
