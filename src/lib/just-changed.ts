import { externalValue } from "./external-value.ts"

/** How long a change counts as just made while no list shows it, in ms. */
const lasting = 60_000

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
