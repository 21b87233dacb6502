import { queryOptions } from "@tanstack/react-query"
import { limits } from "../../contract/limits.ts"
import type { Transaction } from "../../contract/program/points.ts"
import { readEveryPage, type EveryRow } from "./paging.ts"
import { pointsKey, readLedgerPage } from "./points.ts"

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
