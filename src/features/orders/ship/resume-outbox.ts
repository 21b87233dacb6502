import * as z from "zod/mini"
import { readStored, saveStored } from "../../../lib/browser-storage.ts"

const keyOf = (userId: string) => `laurel-outbox-${userId}`

/** Whether a user's outbox may have parcels. Earlier versions stored a word under another key. */
function mayHoldParcels(userId: string): boolean {
  const noted = readStored(keyOf(userId), z.boolean())
  if (noted !== undefined) return noted
  try {
    const earlier = localStorage.getItem(`laurel:outbox:${userId}`)
    return earlier !== null && earlier !== "empty"
  } catch {
    return false
  }
}

/** Records in this browser whether a user's outbox has parcels, so that the next page knows without opening it. */
export function noteOutbox(userId: string, holds: boolean): void {
  saveStored(keyOf(userId), holds)
}

/**
 * Continues to send a user's outbox on any page; loads nothing while it is empty. Returns the number of parcels, 0
 * when it cannot be read (the ship desk shows that).
 */
export async function resumeOutbox(userId: string): Promise<number> {
  if (!mayHoldParcels(userId)) return 0
  try {
    const { openShipping } = await import("./shipping.ts")
    return (await openShipping(userId)).outbox.data.getState().parcels.length
  } catch {
    return 0
  }
}
