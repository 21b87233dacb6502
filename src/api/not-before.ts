/**
 * Waits until a moment, or not at all when it has passed.
 * @param moment ms since the epoch
 * @throws the signal's reason when whoever asked is gone
 */
export async function notBefore(moment: number, signal: AbortSignal): Promise<void> {
  const wait = moment - Date.now()
  if (wait <= 0) return
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason instanceof Error ? signal.reason : new DOMException("Aborted", "AbortError"))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop)
      resolve()
    }, wait)
    signal.addEventListener("abort", stop, { once: true })
  })
}
