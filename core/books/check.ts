import type { CopyStore } from "../copy/copy-store.ts"
import type { LocalCopy } from "../copy/local-copy.ts"
import { AppError } from "../errors.ts"
import { yieldToEventLoop } from "../jobs/engine-context.ts"
import type { Store } from "../ports.ts"
import type { BookedRow, DifferenceRecord } from "./book-store.ts"
import { ledgerBatches } from "./calculate.ts"
import { judgeLook, type LackingRow, lookApart } from "./differences.ts"
import { shapeOf } from "./member-book.ts"

const rowsAtOnce = 1000
/** Most members whose ledgers are read in one check: each is three requests or more. */
const mostLooks = 500
/** A row confirmed since is too young to be missing, and one before is not looked for again, ms. */
const youngMs = 1_800_000
const oldMs = 100 * 24 * 3_600_000
/** What is kept of a deleted member, at most so long, and so long after the months are closed, ms. */
const storedMs = 400 * 24 * 3_600_000
const afterCloseMs = 30 * 24 * 3_600_000

export interface CheckDeps {
  readonly copy: CopyStore
  readonly store: Pick<Store, "books">
  readonly sync: Pick<LocalCopy, "ledgers">
  /** How long the history needed lately to show an entry, ms. */
  readonly lag: () => Promise<number>
}

/**
 * Looks at the members whose balance is not what their ledger adds up to, and at those whose ledger lacks a row of ours
 * (docs/books.md, Differences). `every`: also at those that counted already; otherwise only second looks that are due.
 * Returns whether something changed.
 */
export async function checkDifferences(
  { copy, lag, store, sync }: CheckDeps,
  { every, monthOf }: { readonly every: boolean; readonly monthOf: (at: number) => string },
  signal: AbortSignal,
): Promise<boolean> {
  const apartMs = lookApart(await lag())
  const open = await store.books.differences()
  const known = Map.groupBy(
    open.filter((one) => one.class !== "deleted"),
    ({ member }) => member,
  )
  const now = await copy.now()
  const due = [...known].filter(
    ([, some]) => every || some.some((one) => one.secondAt === null && now - one.firstAt >= apartMs),
  )
  const lacking = due.length > 0 || every ? await lackingRows({ copy, store }, now) : new Map()
  const members = new Set(due.map(([member]) => member))
  if (every) {
    for (const member of lacking.keys()) members.add(member)
    for (const member of await unequalMembers(copy, known)) members.add(member)
  }
  let isChanged = false
  for (const memberId of [...members].slice(0, mostLooks)) {
    if (signal.aborted) return isChanged
    const unresolved = known.get(memberId) ?? []
    const owner = await copy.ledgers.owner(memberId)
    const changes =
      owner === undefined
        ? await resolvedAll(unresolved, copy)
        : await lookAt(sync, memberId, signal, async (look) =>
            judgeLook({
              memberId,
              look,
              now: await copy.now(),
              apartMs,
              known: unresolved,
              lacking: lacking.get(memberId) ?? [],
              monthOf,
            }),
          )
    if (changes.length > 0) await store.books.put(changes)
    isChanged ||= changes.length > 0
  }
  return isChanged
}

async function resolvedAll(
  unresolved: readonly DifferenceRecord[],
  copy: CopyStore,
): Promise<DifferenceRecord[]> {
  const resolvedAt = await copy.now()
  return unresolved.map((one) => ({ ...one, resolvedAt }))
}

/** A member that cannot be read now is looked at with the next check. */
async function lookAt(
  { ledgers }: CheckDeps["sync"],
  memberId: string,
  signal: AbortSignal,
  judge: (
    look: NonNullable<Awaited<ReturnType<LocalCopy["ledgers"]["lookAt"]>>>,
  ) => Promise<DifferenceRecord[]>,
): Promise<DifferenceRecord[]> {
  try {
    const look = await ledgers.lookAt(memberId, signal)
    return look === undefined ? [] : await judge(look)
  } catch (error) {
    if (error instanceof AppError || signal.aborted) return []
    throw error
  }
}

/** Members whose ledger in the copy does not add up to their balance, but for what counts already. */
async function unequalMembers(
  copy: CopyStore,
  known: ReadonlyMap<string, readonly DifferenceRecord[]>,
): Promise<string[]> {
  const unequal: string[] = []
  for await (const ledgers of ledgerBatches(copy))
    for (const { memberId, balance, entries, readFrom } of ledgers) {
      if (readFrom === null) continue
      const counted = (known.get(memberId) ?? []).filter(
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
  const departed = (await store.books.differences()).filter((one) => one.class === "deleted")
  const back = await copy.members.get(departed.map(({ member }) => member))
  const ids = new Set(back.map(({ id }) => id))
  const returned = departed.filter(({ member }) => ids.has(member))
  if (returned.length > 0)
    await store.books.put(returned.map((one) => ({ ...one, resolvedAt: now, detail: {} })))
}
