import { keepChoice, readChoice } from "../../../lib/external-value.ts"

const keyOf = (userId: string) => `laurel:outbox:${userId}`

/** Notes in this browser whether a person's outbox holds parcels, so that the next page knows without opening it. */
export function noteOutbox(userId: string, holds: boolean): void {
  keepChoice(keyOf(userId), holds ? "holds" : "empty")
}

/**
 * Goes on sending what a person's outbox in this browser still holds, whatever page they open: they need not come back
 * to the ship desk for it. Nothing of it is fetched while the outbox is empty.
 */
export function resumeOutbox(userId: string): void {
  if (readChoice(keyOf(userId), ["holds", "empty"], "empty") === "empty") return
  void import("./shipping.ts")
    .then(({ shippingOf }) => shippingOf(userId))
    // What cannot be read is said on the ship desk.
    .catch(() => {})
}
