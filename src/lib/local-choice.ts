/**
 * A choice kept in this browser alone (density, colour scheme): nothing secret, nothing personal. Blocked
 * storage is no fault: the choice then lasts as long as the page.
 */
export function readChoice<const T extends string>(key: string, allowed: readonly T[], fallback: T): T {
  try {
    const stored = localStorage.getItem(key)
    return allowed.find((value) => value === stored) ?? fallback
  } catch {
    return fallback
  }
}

/** Keeps a choice for the next visit, when the browser lets us. */
export function keepChoice(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Private windows may refuse: the choice then lasts as long as the page.
  }
}
