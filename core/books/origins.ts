import type { BookEntry } from "../copy/copy-store.ts"
import { entryScope } from "../jobs/job-record.ts"
import type { Store } from "../ports.ts"
import type { BookedRedemption, EntryTag } from "./book-store.ts"

/** A service books a redemption so long before or after our call at most, ms. */
const slackMs = 600_000
const claimsAtOnce = 5000

type Stores = { readonly jobs: Pick<Store["jobs"], "claims">; readonly books: Pick<Store["books"], "tagged"> }
interface Owned {
  readonly memberId: string
  readonly entries: readonly BookEntry[]
}

/**
 * Tells entries that were made with Laurel from foreign ones: by their id, a redemption by its order, or once by member,
 * points and time, and by the tag of a row whose id is not known.
 */
export class Origins {
  readonly #store: Stores
  /** Of each member, those that no entry has claimed. */
  readonly #redemptions: Map<string, BookedRedemption[]>

  constructor(store: Stores, redemptions: readonly BookedRedemption[]) {
    this.#store = store
    this.#redemptions = Map.groupBy(redemptions, ({ memberId }) => memberId)
  }

  /** Ids of the entries that are ours, by member. */
  async oursAmong(ledgers: readonly Owned[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const claimed = await this.#claimed(ledgers)
    const left = ledgers.map(({ memberId, entries }) => {
      const redeemed = this.#redeemed(memberId, entries)
      const ours = new Set(entries.flatMap(({ id }) => (claimed.has(id) || redeemed.has(id) ? [id] : [])))
      return { memberId, entries, ours }
    })
    const tags = left.flatMap(({ memberId, entries, ours }) =>
      entries.flatMap((entry) => (ours.has(entry.id) ? [] : tagsIn(memberId, entry))),
    )
    const found = new Set((await this.#store.books.tagged(tags)).map((tag) => JSON.stringify(tag)))
    for (const { memberId, entries, ours } of left)
      for (const entry of entries)
        if (found.size > 0 && tagsIn(memberId, entry).some((tag) => found.has(JSON.stringify(tag))))
          ours.add(entry.id)
    return new Map(left.map(({ memberId, ours }) => [memberId, ours]))
  }

  async #claimed(ledgers: readonly Owned[]): Promise<ReadonlySet<string>> {
    const ids = ledgers.flatMap(({ entries }) => entries.map(({ id }) => id))
    const claimed = new Set<string>()
    for (let at = 0; at < ids.length; at += claimsAtOnce) {
      const found = await this.#store.jobs.claims(entryScope, ids.slice(at, at + claimsAtOnce))
      for (const id of found.keys()) claimed.add(id)
    }
    return claimed
  }

  #redeemed(memberId: string, entries: readonly BookEntry[]): ReadonlySet<string> {
    const left = [...(this.#redemptions.get(memberId) ?? [])]
    const found = new Set<string>()
    if (left.length === 0) return found
    const claim = (entry: BookEntry, fits: (one: BookedRedemption) => boolean) => {
      const at = left.findIndex(fits)
      if (at === -1 || found.has(entry.id)) return
      left.splice(at, 1)
      found.add(entry.id)
    }
    const redeemed = entries.filter(({ points, type }) => type === "redeem" && (points ?? -1) < 0)
    for (const entry of redeemed) {
      const words = `${entry.reference} ${entry.reason}`.split(/[^\w-]+/)
      claim(entry, ({ order }) => order !== null && words.includes(order.toLowerCase()))
    }
    for (const entry of redeemed) {
      const { created_at: at, points } = entry
      claim(
        entry,
        (one) =>
          (one.points === null || points === null || one.points === -points) &&
          at !== null &&
          at >= one.from - slackMs &&
          at <= one.to + slackMs,
      )
    }
    return found
  }
}

/** The tags that an entry may carry: `7k2qx.3` as reference, or a reason that ends in `batch 7k2qx-2`. */
function tagsIn(memberId: string, { points, reason, reference }: BookEntry): EntryTag[] {
  if (points === null) return []
  const [, byReference, row] = /^([2-9a-z]{4,8})\.(\d{1,6})$/.exec(reference) ?? []
  const [, byReason, ordinal = "1"] = / batch ([2-9a-z]{4,8})(?:-(\d{1,6}))?$/.exec(reason) ?? []
  const tag = (code: string, numbers: Pick<EntryTag, "row" | "ordinal">): EntryTag => ({
    batchCode: code.toUpperCase(),
    memberId,
    points,
    ...numbers,
  })
  return [
    ...(byReference === undefined ? [] : [tag(byReference, { row: Number(row), ordinal: null })]),
    ...(byReason === undefined ? [] : [tag(byReason, { row: null, ordinal: Number(ordinal) })]),
  ]
}
