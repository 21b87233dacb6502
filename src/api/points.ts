import { keepPreviousData, type QueryClient, queryOptions, useQueryClient } from "@tanstack/react-query"
import { useLayoutEffect } from "react"
import { limits } from "../../contract/limits.ts"
import { pointsReport, type PointsReportQuery } from "../../contract/job.ts"
import type { LedgerSearchQuery } from "../../contract/ledgers.ts"
import { balanceReader, type Transaction, transactionListReader } from "../../contract/program/points.ts"
import { registerTopic } from "./events.ts"
import { jobsKey } from "./jobs.ts"
import { copyMetaOf, memberQuery, membersKey, pointsKey, allMembersId } from "./members.ts"
import { pagedQueryDefaults } from "./paging.ts"
import { apiPath, endUpdate, type ReadOptions, request, requestData, responseQuery } from "./request.ts"
import { serverTime } from "../lib/time.ts"
import { markChanged } from "../lib/recent-records.ts"

registerTopic("member", pointsKey)
registerTopic("members", (id) => (id === allMembersId ? ["points"] : pointsKey(id)))

/** A member's points: available, pending approval, earned and redeemed over the lifetime. */
export function balanceQuery(memberId: string, how: ReadOptions & { readonly after?: number } = {}) {
  const path = ["program", "members", memberId, "balance"]
  return responseQuery([...pointsKey(memberId), "balance"], { path, schema: balanceReader.tolerant, ...how })
}

/** Before a drawer reads a balance that it waits for: gives up the page's own read, which goes behind others. */
export function useBalanceAwaited(memberId: string, isAwaited: boolean): void {
  const client = useQueryClient()
  useLayoutEffect(() => {
    if (isAwaited) void endUpdate(client, balanceQuery(memberId).queryKey)
  }, [client, memberId, isAwaited])
}

/**
 * One page of a member's ledger: from the local copy where that ends with the member's balance, otherwise one upstream
 * request. The previous page is shown while the next loads.
 */
export function transactionsQuery(
  memberId: string,
  query: Omit<LedgerSearchQuery, "member_id">,
  { fresh }: ReadOptions = {},
) {
  return responseQuery(
    [...pointsKey(memberId), "ledger", query],
    {
      path: ["transactions"],
      query: { member_id: memberId, ...query },
      schema: transactionListReader.tolerant,
      fresh,
    },
    { placeholderData: keepPreviousData },
  )
}

/**
 * A member's full ledger, or all of it between two times, from the local copy; where that lacks an entry, as many rows as
 * one request to the service has. Newest first.
 */
export function fullLedgerQuery(memberId: string, between: Pick<LedgerSearchQuery, "from" | "to"> = {}) {
  return queryOptions({
    queryKey: [...pointsKey(memberId), "whole-ledger", between],
    queryFn: async ({ signal }) => {
      const rows: Transaction[] = []
      for (let page = 1; ; page += 1) {
        const query = { member_id: memberId, page, per_page: limits.copyPage, ...between }
        const schema = transactionListReader.tolerant
        const { data, meta, at } = await request({ path: apiPath("transactions"), query, schema, signal })
        rows.push(...data)
        const total = meta?.total ?? rows.length
        const isLast = data.length === 0 || rows.length >= total || copyMetaOf(meta)?.complete !== true
        if (isLast) return { rows, total, at }
      }
    },
  })
}

const day = 86_400_000
const reasonsSince = 60 * day
const report = { path: apiPath("reports", "points"), schema: pointsReport }

/** Reasons of Laurel's awards and deductions in the last 60 days, most used first. One request. */
export const recentReasonsQuery = queryOptions({
  queryKey: ["reports", "recent-reasons"],
  queryFn: async ({ signal }) => {
    const query = { by: "reason", from: new Date(serverTime(Date.now()) - reasonsSince).toISOString() }
    const { rows } = await requestData({ ...report, query, signal })
    const used = (count: "awards" | "deductions"): readonly string[] =>
      rows
        .filter((row) => row[count] > 0 && row.group !== "")
        .toSorted((a, b) => b[count] - a[count])
        .map(({ group }) => group)
    return {
      award: used("awards"),
      deduct: used("deductions").filter((reason) => !correctionStart.test(reason)),
    }
  },
  staleTime: 5 * 60_000,
  retry: false,
})

/**
 * A reason that Laurel generates for corrections, which is not suggested again. The report excludes reversals by their
 * stored relation.
 */
const correctionStart = /^(?:Correction\b|Reversal of J-\d)/

/**
 * Points that Laurel's jobs awarded and deducted, summed by reason, user or month. No upstream request. Below the jobs
 * key, because a running job changes it.
 */
export function pointsReportQuery(query: PointsReportQuery) {
  return queryOptions({
    queryKey: [...jobsKey, "report", query],
    queryFn: async ({ signal }) => {
      const { data, at } = await request({ ...report, query, signal })
      return { report: data, at }
    },
    ...pagedQueryDefaults,
  })
}

/**
 * Members' points have changed: invalidates what the page shows of them and highlights their rows. The balance is read
 * past every cache, because it is looked at next.
 */
export function refetchPoints(client: QueryClient, memberIds: readonly string[]): void {
  for (const id of memberIds) {
    markChanged(id)
    const balance = balanceQuery(id, { fresh: true })
    const { queryKey } = balance
    const shown = client.getQueryCache().find({ queryKey })?.isActive() === true
    // The query keeps an error, and the page shows it.
    if (shown) void client.fetchQuery({ ...balance, staleTime: 0 }).catch(() => undefined)
    void client.invalidateQueries({
      queryKey: pointsKey(id),
      predicate: (query) => !shown || query.queryKey.join() !== queryKey.join(),
    })
    void client.invalidateQueries({ queryKey: memberQuery(id).queryKey })
  }
  void client.invalidateQueries({ queryKey: membersKey })
}
