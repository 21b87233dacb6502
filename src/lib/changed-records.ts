import { create } from "zustand"

/** How long a change counts as recent while no list shows it, in ms. */
const recentMs = 60_000

/** Ids of records that were just created or changed in this tab, until a list has highlighted their row. */
export const useChangedRecords = create<{ readonly ids: ReadonlySet<string> }>(() => ({ ids: new Set() }))

/** Marks a record as just changed. */
export function markChanged(id: string): void {
  useChangedRecords.setState(({ ids }) => ({ ids: new Set([...ids, id]) }))
  setTimeout(() => forgetChanged(id), recentMs)
}

/** Ends the highlight of a record. */
export function forgetChanged(id: string): void {
  if (!useChangedRecords.getState().ids.has(id)) return
  useChangedRecords.setState(({ ids }) => ({ ids: new Set([...ids].filter((each) => each !== id)) }))
}
