import { saveChoice, readChoice } from "../../../lib/external-value.ts"

const keyOf = (userId: string) => `laurel:outbox:${userId}`

/** Notes in this browser whether a person's outbox holds parcels, so that the next page knows without opening it. */
export function noteOutbox(userId: string, holds: boolean): void {
  saveChoice(keyOf(userId), holds ? "holds" : "empty")
}

/**
 * Goes on sending what a person's outbox in this browser holds, whatever page they open; fetches nothing while it is empty.
 * Returns how many parcels that are. What cannot be read is said on the ship desk, and is none here.
 */
export async function resumeOutbox(userId: string): Promise<number> {
  if (readChoice(keyOf(userId), ["holds", "empty"], "empty") === "empty") return 0
  try {
    const { shippingOf } = await import("./shipping.ts")
    return (await shippingOf(userId)).outbox.data.get().parcels.length
  } catch {
    return 0
  }
}
