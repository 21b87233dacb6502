import { useQuery } from "@tanstack/react-query"
import { dayRefusal, jobRefusal, limitOf, rowRefusal } from "../../contract/limits.ts"
import type { JobKind } from "../../contract/job.ts"
import { useSession } from "../api/session.ts"
import { limitsTodayQuery } from "../api/settings.ts"
import { Notice } from "../ui/notice.tsx"
import { needsSubmissionNote } from "./submission-note.tsx"

/**
 * Why rows of a kind may not be sent, in the server's words: `largest` is the most that one of them moves, `sum` what
 * they move together, in points or cents. Undefined when they may, and while the limits are not known: the server
 * decides in any case.
 * @param error how sending them ended last time. After no answer they may be counted already, and sent again they are
 *   still one effect: nothing is refused then.
 */
export function useAmountRefusal(
  kind: JobKind,
  error: Error | null,
): (largest: number, sum: number) => string | undefined {
  const { data } = useQuery(limitsTodayQuery)
  const { currency } = useSession().program
  const limit = data && limitOf(kind, data.limits)
  if (data === undefined || limit === undefined || needsSubmissionNote(error)) return () => undefined
  const used = limit.unit === "points" ? data.used.points : data.used.card_cents
  return (largest, sum) =>
    rowRefusal(limit, largest, currency) ??
    jobRefusal(limit, sum, currency) ??
    dayRefusal(limit, sum, used, currency)
}

/** Says that the rows of a file are above a limit, before any of them is sent. */
export function AmountRefusal({ refusal }: { refusal: string | undefined }) {
  if (refusal === undefined) return null
  return (
    <Notice tone="danger" title="These rows exceed a limit">
      {refusal} Nothing was sent.
    </Notice>
  )
}
