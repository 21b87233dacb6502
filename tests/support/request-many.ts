/** Requests that were made at once and may still be waiting. */
export interface PendingRequests {
  /** Statuses of the answers so far. */
  readonly answers: readonly number[]
  /** Closes the browser on those that still wait; one "left" for each. */
  readonly leave: () => Promise<string[]>
}

/** Makes `count` reads at once. */
export function requestMany(
  count: number,
  which: (at: number) => { url: string; cookie: string },
): PendingRequests {
  const leaving = new AbortController()
  const answers: number[] = []
  const ends = Array.from({ length: count }, async (_, at) => {
    const { url, cookie } = which(at)
    try {
      const { status } = await fetch(url, { headers: { Cookie: cookie }, signal: leaving.signal })
      answers.push(status)
      return "answered"
    } catch {
      return "left"
    }
  })
  return {
    answers,
    leave: async () => {
      leaving.abort()
      return (await Promise.all(ends)).filter((end) => end === "left")
    },
  }
}
