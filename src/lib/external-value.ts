import type * as z from "zod/mini"
import type { Api } from "../../contract/response.ts"

/** A value outside React that components can follow with `useSyncExternalStore`. */
export interface ExternalValue<T> {
  readonly get: () => T
  readonly set: (value: T) => void
  readonly subscribe: (listener: () => void) => () => void
}

/** Makes one. Setting an equal value tells nobody. */
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

/** At so many pieces or fewer a reward is low on stock: as the session says. */
export const lowStock = externalValue(10)

/** How long a change counts as just made while no list shows it, in ms. */
const lasting = 60_000

/** Requests a minute that each service's key allows: as the session says. */
export const requestLimits = externalValue<Readonly<Record<Api, number>>>({ program: 60, giftcard: 60 })

/** When the next request may go, in ms since the epoch, while somebody here waits for the budget; else null. */
export const nextRequestAt = externalValue<number | null>(null)

/** Whether requests to a service have to wait for their turn, as far as this role sees it. */
export const requestsLimited = externalValue(false)

/** Ids of records that were just made or changed in this tab, and whose row no list has pointed out yet. */
export const justChanged = externalValue<ReadonlySet<string>>(new Set())

/** A record was made or changed. */
export function markChanged(id: string): void {
  justChanged.set(new Set([...justChanged.get(), id]))
  setTimeout(() => forgetChanged(id), lasting)
}

/** A record's row was pointed out for long enough. */
export function forgetChanged(id: string): void {
  if (!justChanged.get().has(id)) return
  justChanged.set(new Set([...justChanged.get()].filter((each) => each !== id)))
}

/** A choice kept in this browser alone; where storage is blocked it lasts as long as the page. */
export function readChoice<const T extends string>(key: string, allowed: readonly T[], fallback: T): T {
  try {
    const stored = localStorage.getItem(key)
    return allowed.find((value) => value === stored) ?? fallback
  } catch {
    return fallback
  }
}

/** What is kept under a key as JSON; undefined where there is none of this shape, or storage is blocked. */
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

/** Keeps a choice for the next visit, when the browser lets us. */
export function saveChoice(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Private windows may refuse: the choice then lasts as long as the page.
  }
}
