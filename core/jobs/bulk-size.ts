/** How many awards go into the next bulk request: it begins small and grows with quick answers. */
export interface BulkSize {
  /** Rows for the next request; 0 while the first one has not been answered. */
  next(): number
  /** A request goes out. */
  sent(): void
  /** It was answered with a success after `ms`; a call may take `callMs`. */
  answered(ms: number, callMs: number): void
  /** Nobody knows how it ended. */
  unknown(): void
  /** It was not carried out at all. */
  notDone(): void
  /** The service refused a request of this many rows; gives the new most. */
  refused(rows: number): number
}

/** Rows of the first request of a run: the canary. */
const canarySize = 25

/** Makes one; `most` is what the service was seen to take. */
export function createBulkSize(most: number): BulkSize {
  let max = most
  let size = Math.min(canarySize, max)
  let proven = false
  let canariesOut = 0
  const back = () => {
    canariesOut = Math.max(0, canariesOut - 1)
  }
  return {
    next: () => (proven || canariesOut === 0 ? size : 0),
    sent() {
      canariesOut += 1
    },
    answered(ms, callMs) {
      back()
      proven = true
      if (ms <= callMs / 4) size = Math.min(size * 2, max)
    },
    unknown() {
      back()
      size = Math.max(1, Math.floor(size / 2))
    },
    notDone: back,
    refused(rows) {
      back()
      max = Math.max(1, Math.floor(rows / 2))
      size = Math.min(size, max)
      return max
    },
  }
}
