import * as z from "zod/mini"

const message = z.optional(z.object({ message: z.optional(z.string()) }))
const nested = z.looseObject({ key: message, text: message })

/** What is not right with one row, by its two fields. */
export interface RowProblems {
  readonly key: string | undefined
  readonly text: string | undefined
}

/**
 * Sorts what the form knows to be wrong with the rows: a list with one entry for each row, or one problem of the
 * whole field, or both.
 */
export function rowProblems(error: unknown): {
  own: string | undefined
  byRow: ReadonlyMap<number, RowProblems>
} {
  const byRow = new Map<number, RowProblems>()
  for (const [index, entry] of (Array.isArray(error) ? error : []).entries()) {
    const { key, text } = nested.safeParse(entry).data ?? {}
    if (key !== undefined || text !== undefined) byRow.set(index, { key: key?.message, text: text?.message })
  }
  const whole = z.looseObject({ message: z.optional(z.string()), root: message }).safeParse(
    // A list carries its own problem as a property beside its entries.
    typeof error === "object" && error !== null ? { ...error } : undefined,
  ).data
  return { own: whole?.root?.message ?? whole?.message, byRow }
}
