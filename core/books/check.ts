import type { CopyStore } from "../copy/copy-store.ts"
import type { LocalCopy } from "../copy/local-copy.ts"
import { AppError } from "../errors.ts"
import { yieldToEventLoop } from "../jobs/engine-context.ts"
import type { Store } from "../ports.ts"
import type { BookedRedemption, BookedRow, DifferenceRecord } from "./book-store.ts"
import { ledgerBatches } from "./calculate.ts"
import { judgeLook, type LackingRow, lookApart, youngMs } from "./differences.ts"
import { shapeOf } from "./member-book.ts"
import { lackingRedemptions } from "./redemptions.ts"

const rowsAtOnce = 1000
/** Most members whose ledgers are read in one check: each is three requests or more. */
const mostMembers = 500
/** A row confirmed before is not looked for again, ms. */
const oldMs = 100 * 24 * 3_600_000
/** What is kept of a deleted member, at most so long, and so long after the months are closed, ms. */
const storedMs = 400 * 24 * 3_600_000
const afterCloseMs = 30 * 24 * 3_600_000

export interface CheckDeps {
  readonly copy: CopyStore
  readonly store: Pick<Store, "books">
  readonly sync: Pick<LocalCopy, "ledgers">
  /** How long the history recently needed to show an entry, ms. */
  readonly lag: () => Promise<number>
}

/** What a check ended with. */
interface CheckEnd {
  readonly isChanged: boolean
  /** Members to look at with the next one. */
  readonly left: readonly string[]
}

/**
 * Looks at the members whose balance is not what their ledger adds up to, and at those whose ledger lacks a row of ours
 * (docs/books.md, Differences). `every`: also at those that counted already; otherwise only second looks that are due,
 * and what the check before left.
 */
export async function checkDifferences(
  deps: CheckDeps,
  of: {
    readonly every: boolean
    readonly left: readonly string[]
    readonly monthOf: (at: number) => string
  },
  signal: AbortSignal,
): Promise<CheckEnd> {
  const { copy, lag, store } = deps
  const apartMs = lookApart(await lag())
  const open = await store.books.differences(["awaiting", "missing", "unexplained"])
  const known = Map.groupBy(open, ({ member }) => member)
  const now = await copy.now()
  const due = [...known].filter(
    ([, some]) => of.every || some.some((one) => one.secondAt === null && now - one.firstAt >= apartMs),
  )
  const members = new Set([...due.map(([member]) => member), ...of.left])
  if (!of.every && members.size === 0) return { isChanged: false, left: [] }
  const lacking = await lackingRows({ copy, store }, now)
  const redeemed = Map.groupBy(await store.books.redemptions(now - oldMs), ({ memberId }) => memberId)
  if (of.every) {
    for (const member of lacking.keys()) members.add(member)
    for (const member of await unequalMembers(copy, { known, redeemed, now })) members.add(member)
  }
  const left = [...members].slice(mostMembers)
  let isChanged = false
  for (const memberId of [...members].slice(0, mostMembers)) {
    if (signal.aborted) break
    const facts = {
      known: known.get(memberId) ?? [],
      lacking: lacking.get(memberId) ?? [],
      redemptions: redeemed.get(memberId) ?? [],
    }
    const changes = await changesOf(deps, memberId, { ...facts, apartMs, monthOf: of.monthOf }, signal)
    if (changes === undefined) left.push(memberId)
    else if (changes.length > 0) {
      await store.books.put(changes)
      isChanged = true
    }
  }
  return { isChanged, left }
}

/** What a look at a member changes; undefined: they cannot be read now. */
async function changesOf(
  { copy, sync }: CheckDeps,
  memberId: string,
  facts: Pick<Parameters<typeof judgeLook>[0], "known" | "lacking" | "redemptions" | "apartMs" | "monthOf">,
  signal: AbortSignal,
): Promise<DifferenceRecord[] | undefined> {
  if ((await copy.ledgers.owner(memberId)) === undefined) {
    const resolvedAt = await copy.now()
    return facts.known.map((one) => ({ ...one, resolvedAt }))
  }
  try {
    const look = await sync.ledgers.lookAt(memberId, signal)
    return look && judgeLook({ ...facts, memberId, look, now: await copy.now() })
  } catch (error) {
    if (error instanceof AppError || signal.aborted) return undefined
    throw error
  }
}

/**
 * Members whose ledger in the copy does not add up to their balance, but for what counts already, or was read since a
 * redemption of ours and lacks it.
 */
async function unequalMembers(
  copy: CopyStore,
  of: {
    readonly known: ReadonlyMap<string, readonly DifferenceRecord[]>
    readonly redeemed: ReadonlyMap<string, readonly BookedRedemption[]>
    readonly now: number
  },
): Promise<string[]> {
  const unequal: string[] = []
  for await (const ledgers of ledgerBatches(copy))
    for (const { memberId, balance, entries, memberBalance, readFrom } of ledgers) {
      // A ledger that was not read since the balance changed is read soon.
      if (readFrom === null || balance !== memberBalance) continue
      const lost = lackingRedemptions(of.redeemed.get(memberId) ?? [], entries)
      if (lost.some(({ to }) => to < of.now - youngMs && to < readFrom)) {
        unequal.push(memberId)
        continue
      }
      const counted = (of.known.get(memberId) ?? []).filter(
        (one) => one.class === "unexplained" && one.secondAt !== null,
      )
      const points = counted.reduce((sum, one) => sum + one.points, 0)
      if (shapeOf(entries, balance, -Infinity).difference !== points) unequal.push(memberId)
    }
  return unequal
}

/** Confirmed rows of ours that the ledgers do not have, although they were read since, by member. */
async function lackingRows(
  { copy, store }: Pick<CheckDeps, "copy" | "store">,
  now: number,
): Promise<Map<string, LackingRow[]>> {
  const found: BookedRow[] = []
  for (let last: BookedRow | undefined; ;) {
    const rows: BookedRow[] = await store.books.booked(now - oldMs, last, rowsAtOnce)
    const keys = rows
      .filter(({ at }) => at < now - youngMs)
      .map((row) => ({ row, memberId: row.memberId, id: row.transaction, since: row.at }))
    found.push(...(await copy.ledgers.lacking(keys)).map(({ row }) => row))
    last = rows.at(-1)
    if (rows.length < rowsAtOnce) break
    await yieldToEventLoop()
  }
  return Map.groupBy(found, ({ memberId }) => memberId)
}

/** Forgets what is kept of deleted members once it is not needed, and of those who came back. */
export async function tidyDeparted({ copy, store }: Pick<CheckDeps, "copy" | "store">): Promise<void> {
  const now = await copy.now()
  await store.books.forgetDeparted(now - afterCloseMs, now - storedMs)
  const departed = await store.books.differences(["deleted"])
  const back = await copy.members.get(departed.map(({ member }) => member))
  const ids = new Set(back.map(({ id }) => id))
  const returned = departed.filter(({ member }) => ids.has(member))
  if (returned.length > 0)
    await store.books.put(returned.map((one) => ({ ...one, resolvedAt: now, detail: {} })))
}
