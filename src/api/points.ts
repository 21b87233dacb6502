import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import {
  balanceReader,
  transactionListReader,
  type Balance,
  type Transaction,
  type TransactionListQuery,
} from "../../contract/program/points.ts"
import { registerTopic } from "./events.ts"
import { apiPath } from "./path.ts"
import { request, type Answer } from "./request.ts"

/** Everything the cache holds about one member's points starts with this key. */
export function pointsKey(memberId: string) {
  return ["points", memberId] as const
}

registerTopic("member", pointsKey)

/** A member's points: available, pending approval, earned and redeemed over the lifetime. */
export function balanceQuery(memberId: string, { fresh = false }: { fresh?: boolean } = {}) {
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
export function transactionsQuery(
  memberId: string,
  query: TransactionListQuery,
  { fresh = false }: { fresh?: boolean } = {},
) {
  return queryOptions({
    queryKey: [...pointsKey(memberId), "ledger", query],
    queryFn: ({ signal }): Promise<Answer<Transaction[]>> =>
      readLedgerPage(memberId, query, { signal, fresh }),
    placeholderData: keepPreviousData,
  })
}

/** Reads one page of a ledger. */
export function readLedgerPage(
  memberId: string,
  query: TransactionListQuery,
  { signal, fresh = false }: { signal?: AbortSignal; fresh?: boolean } = {},
): Promise<Answer<Transaction[]>> {
  return request({
    path: apiPath("program", "members", memberId, "transactions"),
    query: { ...query },
    schema: transactionListReader.tolerant,
    signal,
    fresh,
  })
}
