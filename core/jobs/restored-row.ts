import type { RowRecord } from "./job-store.ts"

/** What a row keeps that is looked up because the store was restored. Times in ms since 1970, the store's clock. */
export interface Restored {
  /** When the restore was found: whatever was sent for the row was sent before. */
  readonly at: number
  /** When the restored store was last known to be complete: whatever it does not know of came later. */
  readonly since: number
  /** When the row's job was made. */
  readonly made: number
  /** The row's attempts then: a later attempt is settled like any other. */
  readonly attempts: number
  /** Only a sample: something that could be somebody else's doing says nothing. */
  readonly sample: boolean
}

/** The mark of a row that is looked up because the store was restored; undefined for any other, and after its next sending. */
export function restoredOf({ work, attempts }: Pick<RowRecord, "work" | "attempts">): Restored | undefined {
  const kept = work?.["restored"]
  const { at, since, made, ...rest } = { at: undefined, since: undefined, made: undefined, ...objectOf(kept) }
  if (typeof at !== "number" || typeof since !== "number" || typeof made !== "number") return undefined
  const { attempts: before, sample } = { attempts: undefined, sample: undefined, ...rest }
  return before === attempts ? { at, since, made, attempts, sample: sample === true } : undefined
}

/** The mark of a row that this store has never sent; everything about it has to be told from the service's records. */
export function neverSentHere(row: Pick<RowRecord, "work" | "attempts">): Restored | undefined {
  return row.attempts === 0 ? restoredOf(row) : undefined
}

function objectOf(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {}
}
