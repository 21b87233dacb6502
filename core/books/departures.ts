import { type CopyStore, ledgerOf } from "../copy/copy-store.ts"
import type { Store } from "../ports.ts"
import type { Settings } from "../settings/settings.ts"
import type { DifferenceRecord } from "./book-store.ts"
import { monthAt } from "./months.ts"

/**
 * Keeps the last balance of members who leave the copy, and of their entries what months that are not closed yet add up:
 * no reason, no reference.
 */
export async function keepDepartures(
  {
    copy,
    settings,
    store,
  }: {
    readonly copy: CopyStore
    readonly settings: Pick<Settings, "get">
    readonly store: Pick<Store, "books">
  },
  ids: readonly string[],
  asOf: number,
): Promise<void> {
  const { time_zone } = await settings.get("program")
  const departed: DifferenceRecord[] = []
  for (const memberId of ids) {
    const ledger = await ledgerOf(copy, memberId)
    if (ledger === undefined) continue
    const entries = ledger.entries.map(({ id, n, type, points, balance_after, created_at }) => ({
      id,
      n,
      type,
      points,
      balance_after,
      created_at,
    }))
    departed.push({
      id: `deleted:${memberId}`,
      class: "deleted",
      member: memberId,
      points: ledger.balance ?? entries.reduce((sum, { points }) => sum + (points ?? 0), 0),
      month: monthAt(asOf, time_zone),
      firstAt: asOf,
      secondAt: asOf,
      resolvedAt: null,
      detail: { entries },
    })
  }
  if (departed.length > 0) await store.books.put(departed)
}
