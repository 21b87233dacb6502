import { externalValue } from "../lib/external-value.ts"

/** When the next request may go, in ms since the epoch, while somebody here waits for the budget; else null. */
export const nextRequestAt = externalValue<number | null>(null)

const waits = new Set<number>()

function publish(): void {
  nextRequestAt.set(waits.size === 0 ? null : Math.min(...waits))
}

/**
 * Waits until the budget allows another request, and shows that wait to the budget chip.
 * @param seconds what `Retry-After` said
 * @throws the signal's reason when the page that asked is gone
 */
export async function waitForBudget(seconds: number, signal?: AbortSignal): Promise<void> {
  // Two waits that end in the same millisecond must stay two.
  let until = Date.now() + seconds * 1000
  while (waits.has(until)) until += 1
  waits.add(until)
  publish()
  try {
    await pause(until - Date.now(), signal)
  } finally {
    waits.delete(until)
    publish()
  }
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason instanceof Error ? signal.reason : new DOMException("Aborted", "AbortError"))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop)
      resolve()
    }, ms)
    signal?.addEventListener("abort", stop, { once: true })
  })
}
