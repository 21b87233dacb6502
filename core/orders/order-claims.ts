import type { AppEvent, OrderClaim } from "../../contract/status.ts"
import type { Clock, EventBus } from "../ports.ts"

/** So long an order counts as open without a word from its page, in ms; pages say so each minute. */
export const claimLastsMs = 180_000

export type OrderClaims = ReturnType<typeof createOrderClaims>

/**
 * Who has which order open on the ship desk: a word to others, no lock. Every instance hears of each claim and keeps it
 * in memory: a restart forgets them for a minute, and nothing rests on one.
 */
export function createOrderClaims({ clock, events }: { clock: Clock; events: EventBus }) {
  const held = new Map<string, OrderClaim & { readonly until: number }>()
  const dropEnded = () => {
    for (const [key, { until }] of held) if (until <= clock.now()) held.delete(key)
  }
  return {
    /** Takes in what this or another instance tells. */
    hear({ id, claim }: AppEvent): void {
      dropEnded()
      if (claim?.open === true) held.set(id, { ...claim, until: clock.now() + claimLastsMs })
      else if (claim !== undefined) held.delete(id)
    },
    list(): OrderClaim[] {
      dropEnded()
      return Array.from(held.values(), ({ order_id, by }) => ({ order_id, by }))
    },
    /** Tells everybody that a person has an order open, or not any more; `tab`: where they do. */
    tell(order_id: string, { id, name }: OrderClaim["by"], open: boolean, tab: string | undefined): void {
      const claim = { order_id, by: { id, name }, open }
      events.publish({
        topic: "claims",
        id: `${order_id}/${id}`,
        claim,
        ...(tab !== undefined && { by: tab }),
      })
    },
  }
}
