import { keepChoice, readChoice } from "../../../lib/external-value.ts"

const markOf = (userId: string) => `laurel:outbox:${userId}`

/** Notes in this browser whether a person's outbox holds parcels, so that the next page knows without opening it. */
export function markOutbox(userId: string, holds: boolean): void {
  keepChoice(markOf(userId), holds ? "holds" : "empty")
}

/**
 * Goes on sending what a person's outbox in this browser still holds, whatever page they open: they need not come back
 * to the ship desk for it. Nothing of it is fetched while the outbox is empty.
 */
export function wakeOutbox(userId: string): void {
  if (readChoice(markOf(userId), ["holds", "empty"], "empty") === "empty") return
  void import("./shipping.ts")
    .then(({ shippingOf }) => shippingOf(userId))
    // What cannot be read is said on the ship desk.
    .catch(() => {})
}
