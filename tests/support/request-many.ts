/** Concurrent requests, some of which may be pending. */
export interface PendingRequests {
  /** Statuses of the responses so far. */
  readonly statuses: readonly number[]
  /** Aborts the pending requests; returns one "left" per aborted request. */
  readonly leave: () => Promise<string[]>
}

/** Makes `count` concurrent reads. */
export function requestMany(
  count: number,
  which: (at: number) => { url: string; cookie: string },
): PendingRequests {
  const leaving = new AbortController()
  const statuses: number[] = []
  const ends = Array.from({ length: count }, async (_, at) => {
    const { url, cookie } = which(at)
    try {
      const { status } = await fetch(url, { headers: { Cookie: cookie }, signal: leaving.signal })
      statuses.push(status)
      return "ended"
    } catch {
      return "left"
    }
  })
  return {
    statuses,
    leave: async () => {
      leaving.abort()
      return (await Promise.all(ends)).filter((end) => end === "left")
    },
  }
}
