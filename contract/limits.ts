import * as z from "zod/mini"
import type { JobKind } from "./job.ts"

/** Bounds that both documents name, and the ones Laurel sets where they are silent (docs/decisions/0003-open-points.md). */
export const limits = {
  /** Rows in one page of a list (docs/api/program.md, Paging). */
  perPage: { default: 25, max: 100 },
  /** Rankings in one answer (docs/api/program.md, Leaderboards). */
  rankings: { default: 10, max: 100 },
  /** Smallest award or deduction, in points (docs/api/program.md, Points). */
  pointsMin: 1,
  /** Largest whole number every side keeps exactly, in points. Ours. */
  pointsMax: 1_000_000_000,
  /** Reason of an award or deduction, in characters. Ours: the document sets none. */
  reason: 500,
  /** External reference of an award, in characters. Ours. */
  reference: 120,
  /** Pieces in one redemption. The most is ours, far beyond any order: the document sets none. */
  quantity: { min: 1, max: 1_000_000 },
  /** Name, company and similar short texts, in characters. Ours. */
  shortText: 200,
  /** Phone number, in characters. Ours. */
  phone: 40,
  /** Keys in a member's metadata, length of a key and of a value in characters, and how deep values are nested. Ours. */
  metadata: { keys: 50, key: 60, value: 2000, depth: 20 },
  /** Awards in one bulk request. Ours: halved and remembered when the service refuses. */
  bulkRows: 100,
  /** Rows in one request that makes a job, and in one that adds to a draft; rows of a whole job. Ours. */
  jobRowsAtOnce: 10_000,
  jobRowsAdded: 1000,
  jobRows: 200_000,
  /** Rows in one request that are compared with earlier ones. Ours: with the largest metadata the body's bound is first. */
  rowsCompared: 2500,
  /** Orders whose addresses are read at once; tracking numbers that are looked at at once. Ours. */
  ordersAtOnce: 200,
  numbersAtOnce: 500,
  /** Days until a gift card expires (docs/api/giftcard.md, Limits). */
  cardExpiryDays: { min: 30, max: 365, default: 90 },
  /** External reference and idempotency key of a card, in characters (docs/api/giftcard.md, Limits). */
  cardReference: 255,
  /** References of cards checked in one request. Ours. */
  referencesAtOnce: 500,
  /** Body of one request to Laurel, in bytes. */
  bodyBytes: 1_000_000,
  /** How deep a body of a request to Laurel may be nested: a job's row with the deepest metadata needs 24. */
  bodyDepth: 32,
  /** A note on a record, in characters. */
  note: 4000,
  /** Shortest password of a desk user, in characters. */
  passwordMin: 10,
  /** Longest password, in characters. */
  passwordMax: 200,
} as const

/** Largest limit that can be set, in points or cents: sums of whole numbers stay exact. */
const mostPossible = 1_000_000_000_000

const amount = z.int("Whole numbers only.").check(z.minimum(1, "At least 1."))
const total = amount.check(z.maximum(mostPossible, "At most 1,000,000,000,000."))

/**
 * Most that may be moved at once: in a row, in a job, and by one person in a day of the program's time zone. Points are
 * those of awards and deductions together; cards are in cents of the program's currency.
 */
export const amountLimits = z.strictObject({
  points_row: amount.check(z.maximum(limits.pointsMax, "At most 1,000,000,000.")),
  points_job: total,
  points_day: total,
  card_row_cents: total,
  card_job_cents: total,
  card_day_cents: total,
})
/** Most that may be moved at once. */
export type AmountLimits = z.output<typeof amountLimits>

/** What holds until an administrator saves other limits. */
export const firstAmountLimits: AmountLimits = {
  points_row: 100_000,
  points_job: 1_000_000,
  points_day: 5_000_000,
  card_row_cents: 100_000,
  card_job_cents: 2_500_000,
  card_day_cents: 12_500_000,
}

/** Answer of `GET /api/limits`: the limits, and what the signed-in person started today. */
export const limitsToday = z.object({
  limits: amountLimits,
  /** Points of awards and deductions; cents of cards. */
  used: z.object({ points: z.int(), card_cents: z.int() }),
})
/** The limits, and what the signed-in person started today. */
export type LimitsToday = z.output<typeof limitsToday>

/** The limits of one kind of job, in its unit. */
interface KindLimit {
  readonly unit: "points" | "cents"
  /** Kinds that count together within a day. */
  readonly kinds: readonly JobKind[]
  readonly row: number
  readonly job: number
  readonly day: number
}

/** The limits that hold for a kind of job; undefined where nothing is limited. */
export function limitOf(kind: JobKind, set: AmountLimits): KindLimit | undefined {
  if (kind === "award" || kind === "deduct") {
    const { points_row: row, points_job: job, points_day: day } = set
    return { unit: "points", kinds: ["award", "deduct"], row, job, day }
  }
  if (kind !== "giftcard") return undefined
  const { card_row_cents: row, card_job_cents: job, card_day_cents: day } = set
  return { unit: "cents", kinds: ["giftcard"], row, job, day }
}

/** What a row moves, in points or cents; 0 for kinds that move neither. `denomination` is in dollars. */
export function amountOf(row: {
  readonly points: number | null
  readonly input: Readonly<Record<string, unknown>>
}): number {
  if (row.points !== null) return Math.abs(row.points)
  const { denomination } = row.input
  return typeof denomination === "number" && Number.isFinite(denomination)
    ? Math.round(denomination * 100)
    : 0
}

const whoChangesIt = "An administrator can change this limit under Settings, Program."

/** Why a row is above its limit; undefined when it is not. `currency` is ISO 4217, the program's. */
export function rowRefusal(limit: KindLimit, moved: number, currency: string): string | undefined {
  if (moved <= limit.row) return undefined
  return `At most ${amountText(limit, limit.row, currency)} a row. ${whoChangesIt}`
}

/** Why a job is above its limit; undefined when it is not. */
export function jobRefusal(limit: KindLimit, moved: number, currency: string): string | undefined {
  if (moved <= limit.job) return undefined
  return `These rows come to ${amountText(limit, moved, currency)}; the limit is ${amountText(limit, limit.job, currency)} a job. ${whoChangesIt}`
}

/**
 * Why a job is above what is left of a person's day; undefined when it is not.
 * @param used what the person started that day before it
 */
export function dayRefusal(
  limit: KindLimit,
  moved: number,
  used: number,
  currency: string,
): string | undefined {
  if (used + moved <= limit.day) return undefined
  const said = (value: number) => amountText(limit, value, currency)
  const left = Math.max(0, limit.day - used)
  return `These rows come to ${said(moved)}; ${said(left)} are left of the ${said(limit.day)} that one person may start in a day. ${whoChangesIt}`
}

function amountText({ unit }: KindLimit, value: number, currency: string): string {
  const whole = unit === "points" ? value : value / 100
  const digits = Number.isInteger(whole) ? 0 : 2
  const number = whole.toLocaleString("en-AU", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  if (unit === "cents") return `${currency} ${number}`
  return value === 1 ? "1 point" : `${number} points`
}
