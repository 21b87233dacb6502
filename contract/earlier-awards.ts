import * as z from "zod/mini"
import { type RowState, rowStates } from "./job.ts"
import { jobKindDescriptors, type JobKind } from "./job-kinds.ts"

// Rows of a file are compared with what earlier jobs did (docs/jobs.md, The same rows again). Page and
// server decide with these functions.

/** Days for which an executed row is recognised when a file brings it again. */
export const repeatDays = 90
/** Days for which another amount for the same reason is asked about. */
export const recentDays = 30

/** When a row was done, or sent; ISO 8601. */
const doneAt = z.optional(z.string())
const earlierRow = { job: z.string(), row: z.int(), state: z.enum(rowStates), done_at: doneAt }

/** What earlier rows of a member and reference come to: corrections and reversals included. */
const awarded = z.object({
  ...earlierRow,
  /** Rows of one member and reference share it. */
  key: z.string(),
  net: z.int(),
  /** Whether all of it was done; the difference to an unconfirmed award is not known. */
  sure: z.boolean(),
  /** Amounts of the single awards; empty where one was corrected. */
  amounts: z.array(z.int()),
})

/**
 * What earlier jobs did, or may have done, that one row of a file could repeat; `at` is its place among the compared
 * rows, and `row` of an earlier row is its number in its file where it has one. What is being reversed does not count.
 */
export const earlierRows = z.object({
  at: z.int(),
  /** Rows with the same `key` share the `count` earlier rows that are the same; the newest is named. */
  key: z.string(),
  count: z.int(),
  job: z.nullable(z.string()),
  row: z.nullable(z.int()),
  state: z.nullable(z.enum(rowStates)),
  done_at: doneAt,
  awarded: z.optional(awarded),
  /** Of a row without a reference: the newest award of another amount with its reason. */
  recent: z.optional(z.object({ ...earlierRow, points: z.int() })),
  /** The job that is taking back an earlier award of this row. */
  reversal: z.optional(z.string()),
})
export type EarlierRows = z.output<typeof earlierRows>

export interface ComparedRow {
  /** Null for kinds without points. */
  readonly points: number | null
  readonly earlier: Omit<EarlierRows, "at"> | null | undefined
  /** Of rows that are the same those with the lowest rank repeat earlier ones first; otherwise in their order. */
  readonly rank?: number
}

/** The earlier row that one of a file repeats. */
export interface Repeated {
  readonly job: string
  readonly row: number
  readonly state: RowState
  readonly done_at?: string | undefined
}

export type Comparison =
  | ({ readonly kind: "repeat" } & Repeated)
  | {
      readonly kind: "other_amount"
      readonly job: string
      readonly row: number
      readonly net: number
      readonly sure: boolean
      /** What the row still has to award; negative: to be taken away; null while it is not known. */
      readonly difference: number | null
    }
  | { readonly kind: "recent"; readonly job: string; readonly row: number; readonly points: number }

/** What each row is, compared with earlier ones; undefined: it is new. */
export function compareRows(rows: readonly ComparedRow[]): (Comparison | undefined)[] {
  const result: (Comparison | undefined)[] = rows.map(() => undefined)
  const compared: Compared[] = rows.flatMap(({ points, earlier, rank = 0 }, at) =>
    earlier ? { at, points: points ?? 0, earlier, rank } : [],
  )
  const byReference = Map.groupBy(compared, ({ earlier }) => earlier.awarded?.key)
  const others = byReference.get(undefined) ?? []
  for (const { at, earlier } of others)
    if (earlier.count === 0 && earlier.recent !== undefined)
      result[at] = { kind: "recent", ...earlier.recent }
  const same = Map.groupBy(
    others.filter(({ earlier }) => earlier.count > 0),
    ({ earlier }) => earlier.key,
  )
  for (const group of same.values()) markRepeats(group, result)
  for (const group of byReference.values()) markAmounts(group, result)
  return result
}

type Compared = Readonly<{ at: number; points: number; rank: number; earlier: Omit<EarlierRows, "at"> }>

/** As many rows are repeats as there are earlier rows that are the same. */
function markRepeats(group: readonly Compared[], result: (Comparison | undefined)[]): void {
  const count = Math.max(...group.map(({ earlier }) => earlier.count))
  const inOrder = group.toSorted((one, other) => one.rank - other.rank)
  for (const { at, earlier } of inOrder.slice(0, count)) {
    const { job, row, state, done_at } = earlier
    if (job !== null && row !== null)
      result[at] = { kind: "repeat", job, row, state: state ?? "confirmed", done_at }
  }
}

/** Compares awards of one member and reference with the net of the earlier ones. */
function markAmounts(group: readonly Compared[], result: (Comparison | undefined)[]): void {
  const awarded = group[0]?.earlier.awarded
  if (awarded === undefined) return
  const { job, row, state, done_at, net, sure } = awarded
  const found = differences(
    group.map(({ points }) => points),
    awarded,
  )
  for (const [index, difference] of found.entries())
    result[group[index]?.at ?? -1] =
      difference === null
        ? { kind: "repeat", job, row, state, done_at }
        : { kind: "other_amount", job, row, net, sure, difference: sure ? difference : null }
}

/**
 * What each row of one member and reference adds to what was awarded, so that all of them together come to the file's
 * sum; null for a row that was awarded before.
 */
export function differences(
  points: readonly number[],
  { net, amounts }: Pick<z.output<typeof awarded>, "net" | "amounts">,
): (number | null)[] {
  if (points.reduce((sum, each) => sum + each, 0) === net) return points.map(() => null)
  const open = points.length > 1 ? [...amounts] : []
  let rest = net
  const found = points.map((each): number | null => {
    const match = open.indexOf(each)
    if (match === -1) return each
    open.splice(match, 1)
    rest -= each
    return null
  })
  const last = found.findLastIndex((each) => each !== null)
  return found.map((each, at) => {
    if (each === null) return null
    const used = at === last ? rest : Math.max(0, Math.min(rest, each))
    rest -= used
    return each - used
  })
}

/** "Already awarded today (J-1335)", with `when` as text; an unconfirmed award reads differently. */
export function repeatText(kind: JobKind, { job, state }: Repeated, when?: string): string {
  const done = jobKindDescriptors[kind].pastTense
  if (state === "planned" || state === "sent") return `Already being ${done} (${job})`
  if (state !== "confirmed") return `Already ${done}, not confirmed yet (${job})`
  return `Already ${done}${when === undefined ? "" : ` ${when}`} (${job})`
}

/** "100 awarded in J-1343 for INV-90001" */
export function otherAmountText(
  { net, sure, job }: Pick<Extract<Comparison, { kind: "other_amount" }>, "net" | "sure" | "job">,
  reference: string,
  format: (points: number) => string = String,
): string {
  const text = `${format(net)} awarded in ${job} for ${reference}`
  return sure ? text : `${text}, not confirmed yet`
}
