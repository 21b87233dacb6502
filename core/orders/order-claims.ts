import type { AppEvent, OrderClaim } from "../../contract/events.ts"
import type { Clock, EventBus } from "../ports.ts"

/** How long a claim lasts without a renewal, in ms; pages renew it each minute. */
export const claimLastsMs = 180_000

export type OrderClaims = ReturnType<typeof createOrderClaims>

/**
 * Who has which order open on the ship desk: advisory, not a lock. Every instance receives each claim and keeps it
 * in memory: a restart forgets them for a minute, and nothing rests on one.
 */
export function createOrderClaims({ clock, events }: { clock: Clock; events: EventBus }) {
  const claims = new Map<string, OrderClaim & { readonly until: number }>()
  const dropEnded = () => {
    for (const [key, { until }] of claims) if (until <= clock.now()) claims.delete(key)
  }
  return {
    /** Takes in what this or another instance tells. */
    onEvent({ id, claim }: AppEvent): void {
      dropEnded()
      if (claim?.open === true) claims.set(id, { ...claim, until: clock.now() + claimLastsMs })
      else if (claim !== undefined) claims.delete(id)
    },
    list(): OrderClaim[] {
      dropEnded()
      return Array.from(claims.values(), ({ order_id, by }) => ({ order_id, by }))
    },
    /** Tells everybody that a person has an order open, or not any more; `tab`: where they do. */
    publishClaim(
      order_id: string,
      { id, name }: OrderClaim["by"],
      open: boolean,
      tab: string | undefined,
    ): void {
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
