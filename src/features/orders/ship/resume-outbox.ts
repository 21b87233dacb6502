import { keepChoice, readChoice } from "../../../lib/external-value.ts"

const keyOf = (userId: string) => `laurel:outbox:${userId}`

/** Notes in this browser whether a person's outbox holds parcels, so that the next page knows without opening it. */
export function noteOutbox(userId: string, holds: boolean): void {
  keepChoice(keyOf(userId), holds ? "holds" : "empty")
}

/** Goes on sending what a person's outbox in this browser holds, whatever page they open; fetches nothing while it is empty. */
export function resumeOutbox(userId: string): void {
  if (readChoice(keyOf(userId), ["holds", "empty"], "empty") === "empty") return
  void import("./shipping.ts")
    .then(({ shippingOf }) => shippingOf(userId))
    // What cannot be read is said on the ship desk.
    .catch(() => {})
}
