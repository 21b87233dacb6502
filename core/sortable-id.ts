/**
 * Makes ids of lower-case letters and digits that sort by the time they were made, within one process strictly:
 * plain text comparison is the order of events.
 * @param now wall time in ms since 1970
 */
export function createIdMaker(now: () => number): () => string {
  let last = 0
  return () => {
    last = Math.max(last + 1, now() * 1000)
    const random = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
    return `${last.toString(36).padStart(11, "0")}${random.toString(36).padStart(7, "0")}`
  }
}
