import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query"
import { limits } from "../../contract/limits.ts"
import { pointsReport, type PointsReportQuery } from "../../contract/job.ts"
import {
  type Balance,
  balanceReader,
  type Transaction,
  type TransactionListQuery,
  transactionListReader,
} from "../../contract/program/points.ts"
import { registerTopic } from "./events.ts"
import { jobsKey } from "./jobs.ts"
import { memberQuery, membersKey, pointsKey } from "./members.ts"
import { type EveryRow, readEveryPage } from "./paging.ts"
import { type Answer, apiPath, type ReadHow, request } from "./request.ts"
import { markChanged } from "../lib/external-value.ts"

registerTopic("member", pointsKey)

/** A member's points: available, pending approval, earned and redeemed over the lifetime. */
export function balanceQuery(memberId: string, { fresh }: ReadHow = {}) {
  return queryOptions({
    queryKey: [...pointsKey(memberId), "balance"],
    queryFn: ({ signal }): Promise<Answer<Balance>> =>
      request({
        path: apiPath("program", "members", memberId, "balance"),
        schema: balanceReader.tolerant,
        signal,
        fresh,
      }),
  })
}

/** One page of a member's ledger, as the service orders it. Another page keeps the one before until it is read. */
export function transactionsQuery(memberId: string, query: TransactionListQuery, { fresh }: ReadHow = {}) {
  return queryOptions({
    queryKey: [...pointsKey(memberId), "ledger", query],
    queryFn: ({ signal }): Promise<Answer<Transaction[]>> =>
      readLedgerPage(memberId, query, { signal, fresh }),
    placeholderData: keepPreviousData,
  })
}

/** Reads one page of a ledger. */
function readLedgerPage(
  memberId: string,
  query: TransactionListQuery,
  { signal, fresh }: ReadHow = {},
): Promise<Answer<Transaction[]>> {
  return request({
    path: apiPath("program", "members", memberId, "transactions"),
    query: { ...query },
    schema: transactionListReader.tolerant,
    signal,
    fresh,
  })
}

const day = 86_400_000

/** Days whose awards are looked at for reasons. */
const span = 60

/**
 * Reasons the desk awarded points for in the last 60 days, the most used first. They come from the desk's own jobs:
 * asking costs no upstream request.
 */
export const recentReasonsQuery = queryOptions({
  queryKey: ["reports", "recent-reasons"],
  queryFn: async ({ signal }): Promise<readonly string[]> => {
    const from = new Date(Date.now() - span * day).toISOString()
    const answer = await request({
      path: apiPath("reports", "points"),
      query: { by: "reason", from },
      schema: pointsReport,
      signal,
    })
    return answer.data.rows
      .filter(({ awards, group }) => awards > 0 && group !== "")
      .toSorted((a, b) => b.awards - a.awards)
      .map(({ group }) => group)
  },
  staleTime: 5 * 60_000,
  retry: false,
})

/**
 * The whole ledger of a member, as the service orders it. Nothing reads it by itself: it costs a request for every
 * 100 rows, so a person asks for it.
 */
export function wholeLedgerQuery(memberId: string) {
  return queryOptions({
    queryKey: [...pointsKey(memberId), "whole-ledger"],
    queryFn: ({ signal }): Promise<EveryRow<Transaction>> =>
      readEveryPage({
        perPage: limits.perPage.max,
        signal,
        idOf: (row: Transaction) => row.transaction_id,
        read: (page, perPage, fresh) =>
          readLedgerPage(memberId, { page, per_page: perPage }, { signal, fresh }),
      }),
    enabled: false,
    staleTime: Infinity,
  })
}

/**
 * Members' points have changed: whatever the page shows of them is read again, and their rows are pointed out. The
 * balance is asked for past every cache, because it is what the person looks at next.
 */
export function rereadPoints(queryClient: QueryClient, memberIds: readonly string[]): void {
  for (const id of memberIds) {
    markChanged(id)
    const balance = balanceQuery(id, { fresh: true })
    const { queryKey } = balance
    if (queryClient.getQueryCache().find({ queryKey })?.isActive() === true) {
      void queryClient.fetchQuery({ ...balance, staleTime: 0 }).catch(() => {
        // The query keeps the error, and the page shows it.
      })
    }
    void queryClient.invalidateQueries({
      queryKey: pointsKey(id),
      predicate: (query) => query.queryKey.join() !== queryKey.join() || !query.isActive(),
    })
    void queryClient.invalidateQueries({ queryKey: memberQuery(id).queryKey })
  }
  void queryClient.invalidateQueries({ queryKey: membersKey })
}

/**
 * Points that our own jobs awarded and deducted, summed by reason, person or month. It comes from the desk's own
 * store and costs no upstream request; below the key of the jobs, because a job that goes on changes it.
 */
export function pointsReportQuery(query: PointsReportQuery) {
  return queryOptions({
    queryKey: [...jobsKey, "report", query],
    queryFn: async ({ signal }) => {
      const path = apiPath("reports", "points")
      const answer = await request({ path, query: { ...query }, schema: pointsReport, signal })
      return { report: answer.data, at: answer.at }
    },
    placeholderData: keepPreviousData,
    retryOnMount: false,
  })
}
