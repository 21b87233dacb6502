/** Between two looks, in ms. */
const every = 50

/**
 * Asks again until there is something to return. An ask that fails counts as nothing yet: a server may just be gone.
 * @throws what it waited for, after `withinMs`, with the last failure as its cause
 */
export async function until<T>(
  what: string,
  withinMs: number,
  ask: () => Promise<T | undefined> | T | undefined,
  everyMs: number = every,
): Promise<T> {
  const end = performance.now() + withinMs
  let cause: unknown
  while (performance.now() < end) {
    try {
      const found = await ask()
      if (found !== undefined) return found
      cause = undefined
    } catch (error) {
      cause = error
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
  throw new Error(`Not within ${withinMs / 1000} s: ${what}`, { cause })
}
