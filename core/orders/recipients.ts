import { shippingAddress } from "../../contract/program/reward.ts"
import { createTimedCache } from "../cache/cache.ts"
import { fold, foldedWords } from "../copy/member-columns.ts"
import { stored } from "../errors.ts"
import type { JobStore } from "../jobs/job-store.ts"
import type { Clock } from "../ports.ts"

/** Names are read from the store at most so often, ms: one that was removed is forgotten then. */
const recipientsMs = 30_000

export type Recipients = ReturnType<typeof createRecipients>

/** The names captured at redemption, while they are kept, for searching orders. */
export function createRecipients(jobs: Pick<JobStore, "addressed">, clock: Clock) {
  const cache = createTimedCache<readonly { readonly id: string; readonly name: string }[]>(
    clock,
    1,
    recipientsMs,
  )
  async function all() {
    const known = cache.get("all")
    if (known !== undefined) return known
    const rows = await stored(jobs.addressed({ until: clock.now() }))
    const recipients = rows.flatMap(({ upstreamId: id, input }) => {
      const address = shippingAddress.safeParse(input["shipping_address"]).data
      return id === null || address === undefined ? [] : [{ id, name: fold(address.name) }]
    })
    cache.set("all", recipients)
    return recipients
  }
  return {
    /** Orders whose recipient's name has every word of a search. */
    async find(search: string): Promise<string[]> {
      const words = foldedWords(search)
      const found = (await all()).filter(({ name }) => words.every((word) => name.includes(word)))
      return found.map(({ id }) => id)
    },
  }
}
