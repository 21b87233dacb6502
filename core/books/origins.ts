import type { BookEntry } from "../copy/copy-store.ts"
import { entryScope } from "../jobs/job-record.ts"
import type { Store } from "../ports.ts"
import type { BookedRedemption, EntryTag } from "./book-store.ts"
import { claimRedemptions } from "./redemptions.ts"

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
      const redeemed = claimRedemptions(this.#redemptions.get(memberId) ?? [], entries)
      const ours = new Set(
        entries.flatMap(({ id }) => (claimed.has(id) || redeemed.ours.has(id) ? [id] : [])),
      )
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
}

/** The tags that an entry may carry: `7k2qx.3` as reference or in metadata, or a reason that ends in `batch 7k2qx-2`. */
function tagsIn(memberId: string, { points, reason, reference, tag: inMetadata }: BookEntry): EntryTag[] {
  if (points === null) return []
  const byRow = [reference, inMetadata].flatMap((text) => {
    const [, code, row] = /^([2-9a-z]{4,8})\.(\d{1,6})$/.exec(text) ?? []
    return code === undefined ? [] : [{ code, row: Number(row) }]
  })
  const [, byReason, ordinal = "1"] = / batch ([2-9a-z]{4,8})(?:-(\d{1,6}))?$/.exec(reason) ?? []
  const tag = (code: string, numbers: Pick<EntryTag, "row" | "ordinal">): EntryTag => ({
    batchCode: code.toUpperCase(),
    memberId,
    points,
    ...numbers,
  })
  return [
    ...byRow.map(({ code, row }) => tag(code, { row, ordinal: null })),
    ...(byReason === undefined ? [] : [tag(byReason, { row: null, ordinal: Number(ordinal) })]),
  ]
}
