import { queryOptions } from "@tanstack/react-query"
import { limits } from "../../contract/limits.ts"
import type { Transaction } from "../../contract/program/points.ts"
import { pointsKey, readLedgerPage } from "./points.ts"

/** Every row of a member's ledger, as the service orders them. */
export interface WholeLedger {
  readonly rows: readonly Transaction[]
  /** When its last page was answered, in ms since the epoch. */
  readonly at: number
}

/** How often it begins again because rows arrived while it read. */
const restarts = 3

/** The whole ledger of a member. Nothing reads it by itself: it costs a request for every 100 rows. */
export function wholeLedgerQuery(memberId: string) {
  return queryOptions({
    queryKey: [...pointsKey(memberId), "whole-ledger"],
    queryFn: ({ signal }) => readWholeLedger(memberId, signal),
    enabled: false,
    staleTime: Infinity,
  })
}

/**
 * Reads every page. Rows shift when new ones arrive meanwhile, so each is taken once by its id, and the reading
 * begins again when the total moved.
 * @throws Error when the ledger kept growing; what `request` throws
 */
export async function readWholeLedger(memberId: string, signal?: AbortSignal): Promise<WholeLedger> {
  for (let attempt = 0; attempt < restarts; attempt += 1) {
    const read = await readPages(memberId, signal)
    if (read !== null) return read
  }
  throw new Error("The ledger kept changing while it was read.")
}

async function readPages(memberId: string, signal?: AbortSignal): Promise<WholeLedger | null> {
  const rows = new Map<string, Transaction>()
  let total: number | undefined
  for (let page = 1; ; page += 1) {
    const answer = await readLedgerPage(
      memberId,
      { page, per_page: limits.perPage.max },
      { fresh: true, ...(signal === undefined ? {} : { signal }) },
    )
    if (total !== undefined && answer.meta?.total !== total) return null
    total = answer.meta?.total
    for (const row of answer.data) rows.set(row.transaction_id, row)
    // Without a total the end is a page that is not full.
    const done =
      total === undefined ? answer.data.length < limits.perPage.max : page * limits.perPage.max >= total
    if (done) return { rows: [...rows.values()], at: answer.at }
  }
}
