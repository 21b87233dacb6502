import { externalValue } from "../lib/external-value.ts"

/** Whether the session ended while somebody was at work: the desk then asks to sign in again in place. */
export const sessionEnded = externalValue(false)

let waiting: { resolve: () => void; reject: (reason: Error) => void }[] = []

/**
 * Waits until the person has signed in again. Requests that met the end of the session wait here and are sent
 * again afterwards, so nothing that was typed is lost.
 * @throws the reason given to `abandonSession`, or the signal's
 */
export function untilSignedInAgain(signal?: AbortSignal): Promise<void> {
  sessionEnded.set(true)
  return new Promise((resolve, reject) => {
    const entry = { resolve, reject }
    waiting.push(entry)
    signal?.addEventListener(
      "abort",
      () => {
        waiting = waiting.filter((other) => other !== entry)
        reject(signal.reason instanceof Error ? signal.reason : new DOMException("Aborted", "AbortError"))
      },
      { once: true },
    )
  })
}

/** The person signed in again: every waiting request goes on. */
export function resumeSession(): void {
  const entries = waiting
  waiting = []
  sessionEnded.set(false)
  for (const entry of entries) entry.resolve()
}

/** The person left instead: every waiting request fails with `reason`. */
export function abandonSession(reason: Error): void {
  const entries = waiting
  waiting = []
  sessionEnded.set(false)
  for (const entry of entries) entry.reject(reason)
}
