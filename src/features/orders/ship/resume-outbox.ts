import * as z from "zod/mini"
import { readStored, saveStored } from "../../../lib/browser-storage.ts"

const keyOf = (userId: string) => `laurel-outbox-${userId}`

/** Records in this browser whether a user's outbox has parcels, so that the next page knows without opening it. */
export function noteOutbox(userId: string, holds: boolean): void {
  saveStored(keyOf(userId), holds)
}

/**
 * Continues to send a user's outbox on any page; loads nothing while it is empty. Returns the number of parcels, 0
 * when it cannot be read (the ship desk shows that).
 */
export async function resumeOutbox(userId: string): Promise<number> {
  if (readStored(keyOf(userId), z.boolean()) !== true) return 0
  try {
    const { openShipping } = await import("./shipping.ts")
    return (await openShipping(userId)).outbox.data.getState().parcels.length
  } catch {
    return 0
  }
}
