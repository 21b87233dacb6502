import { saveChoice, readChoice } from "../../../lib/external-value.ts"

const keyOf = (userId: string) => `laurel:outbox:${userId}`

/** Records in this browser whether a user's outbox has parcels, so that the next page knows without opening it. */
export function noteOutbox(userId: string, holds: boolean): void {
  saveChoice(keyOf(userId), holds ? "holds" : "empty")
}

/**
 * Continues to send a user's outbox on any page; loads nothing while it is empty. Returns the number of parcels, 0
 * when it cannot be read (the ship desk shows that).
 */
export async function resumeOutbox(userId: string): Promise<number> {
  if (readChoice(keyOf(userId), ["holds", "empty"], "empty") === "empty") return 0
  try {
    const { openShipping } = await import("./shipping.ts")
    return (await openShipping(userId)).outbox.data.get().parcels.length
  } catch {
    return 0
  }
}
