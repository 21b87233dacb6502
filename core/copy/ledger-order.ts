/** What decides the position of an entry in its ledger; null: the service sent none, or none that can be read. */
export interface LedgerStep {
  readonly points: number | null
  readonly balance_after: number | null
  /** ms since 1970. */
  readonly created_at: number | null
}

/**
 * A member's entries, oldest first. The service documents no order and several entries may have one time, so they are
 * chained: each begins with the balance that the one before it left.
 */
export function ledgerOrder<T extends LedgerStep>(entries: readonly T[]): T[] {
  const byTime = entries.toSorted((one, other) => timeOf(one) - timeOf(other))
  const ordered: T[] = []
  for (const group of Map.groupBy(byTime, timeOf).values())
    ordered.push(...(chainOf(group, ordered.at(-1)?.balance_after ?? 0) ?? group))
  // Clocks of the service's machines may differ: balances count more than times.
  return isChain(ordered) ? ordered : (chainOf(byTime, 0) ?? ordered)
}

function timeOf({ created_at }: LedgerStep): number {
  return created_at ?? -Infinity
}

function balanceBefore({ balance_after, points }: LedgerStep): number {
  return (balance_after ?? Number.NaN) - (points ?? Number.NaN)
}

function isChain(entries: readonly LedgerStep[]): boolean {
  return entries.every((entry, at) => at === 0 || balanceBefore(entry) === entries[at - 1]?.balance_after)
}

/**
 * The entries as one chain, earlier ones first where there is a choice; undefined where they make none. Balances are
 * nodes and entries are edges, so it is an Eulerian trail (Hierholzer's algorithm). `start`: the balance before, for a
 * chain that ends where it begins.
 */
function chainOf<T extends LedgerStep>(byTime: readonly T[], start: number): T[] | undefined {
  const [first] = byTime
  if (first === undefined || byTime.some((entry) => Number.isNaN(balanceBefore(entry)))) return undefined
  /** Entries that are not used yet by the balance they begin with, the earliest last. */
  const unused = Map.groupBy(byTime.toReversed(), balanceBefore)
  const ends = Map.groupBy(byTime, ({ balance_after }) => balance_after)
  const begin =
    [...unused].find(([balance, entries]) => entries.length > (ends.get(balance)?.length ?? 0))?.[0] ??
    (unused.has(start) ? start : balanceBefore(first))
  const chain: T[] = []
  const path: { readonly balance: number; readonly entry?: T }[] = [{ balance: begin }]
  for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
    const next = unused.get(last.balance)?.pop()
    if (next !== undefined) path.push({ balance: next.balance_after ?? Number.NaN, entry: next })
    else {
      path.pop()
      if (last.entry !== undefined) chain.unshift(last.entry)
    }
  }
  return chain.length === byTime.length && isChain(chain) ? chain : undefined
}
