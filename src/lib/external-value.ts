import type * as z from "zod/mini"
import type { Api } from "../../contract/response.ts"

/** A value outside React that components read with `useSyncExternalStore`. */
export interface ExternalValue<T> {
  readonly get: () => T
  readonly set: (value: T) => void
  readonly subscribe: (listener: () => void) => () => void
}

/** Creates one. No-op if the new value is equal. */
export function externalValue<T>(initial: T): ExternalValue<T> {
  let current = initial
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return
      current = value
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Stock at which a reward counts as low; from the session. */
export const lowStock = externalValue(10)

/** How long a change counts as recent while no list shows it, in ms. */
const lasting = 60_000

/** Requests per minute that each service's key allows; from the session. */
export const requestLimits = externalValue<Readonly<Record<Api, number>>>({ program: 60, giftcard: 60 })

/**
 * When the next request can be sent, in ms since the epoch, while a request of this tab waits for the budget; else
 * null.
 */
export const nextRequestAt = externalValue<number | null>(null)

/** Whether requests to a service are delayed by the budget, as far as this role can see. */
export const requestsLimited = externalValue(false)

/** Ids of records that were just created or changed in this tab, until a list has highlighted their row. */
export const justChanged = externalValue<ReadonlySet<string>>(new Set())

/** Marks a record as just changed. */
export function markChanged(id: string): void {
  justChanged.set(new Set([...justChanged.get(), id]))
  setTimeout(() => forgetChanged(id), lasting)
}

/** Ends the highlight of a record. */
export function forgetChanged(id: string): void {
  if (!justChanged.get().has(id)) return
  justChanged.set(new Set([...justChanged.get()].filter((each) => each !== id)))
}

/** A choice stored in this browser; if storage is blocked, until the page closes. */
export function readChoice<const T extends string>(key: string, allowed: readonly T[], fallback: T): T {
  try {
    const stored = localStorage.getItem(key)
    return allowed.find((value) => value === stored) ?? fallback
  } catch {
    return fallback
  }
}

/** The JSON value stored under a key; undefined if it is missing or invalid, or storage is blocked. */
export function readStored<T>(
  key: string,
  shape: z.ZodMiniType<T>,
  storage: "localStorage" | "sessionStorage" = "localStorage",
): T | undefined {
  try {
    return shape.safeParse(JSON.parse(globalThis[storage].getItem(key) ?? "null")).data
  } catch {
    return undefined
  }
}

/** Saves a choice for the next visit, if the browser allows it. */
export function saveChoice(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Refused in private windows; the choice is lost when the page closes.
  }
}
