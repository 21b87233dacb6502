/** Polling interval, in ms. */
const every = 50

/**
 * Polls until `read` returns a value. A rejection counts as no value yet: an app may be down.
 * @throws Error that names `what` after `withinMs`, with the last rejection as its cause
 */
export async function until<T>(
  what: string,
  withinMs: number,
  read: () => Promise<T | undefined> | T | undefined,
  everyMs: number = every,
): Promise<T> {
  const end = performance.now() + withinMs
  let cause: unknown
  while (performance.now() < end) {
    try {
      const value = await read()
      if (value !== undefined) return value
      cause = undefined
    } catch (error) {
      cause = error
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
  throw new Error(`Not within ${withinMs / 1000} s: ${what}`, { cause })
}
