import * as z from "zod/mini"
import { jobKindDescriptors, type JobKind, kindsWith } from "./job-kinds.ts"
import { limits } from "./limits.ts"

/** Largest limit that can be set, in points or cents: sums of whole numbers stay exact. */
const mostPossible = 1_000_000_000_000
const from1 = (message: string) => z.int(message).check(z.minimum(1, message))
const points = from1("Enter a whole number from 1.")
const cents = from1("Enter an amount such as 1,000.")
const atMost = z.maximum(mostPossible, "At most 1,000,000,000,000.")

/** Most points (awards and deductions) or cents (cards) per row, per job, and per person and day. */
export const amountLimits = z.strictObject({
  points_row: points.check(z.maximum(limits.pointsMax, "At most 1,000,000,000.")),
  points_job: points.check(atMost),
  points_day: points.check(atMost),
  card_row_cents: cents.check(atMost),
  card_job_cents: cents.check(atMost),
  card_day_cents: cents.check(atMost),
})
export type AmountLimits = z.output<typeof amountLimits>

/** A row and a batch of the same amounts. */
const pairs = [
  ["points_row", "points_job"],
  ["card_row_cents", "card_job_cents"],
] as const

/**
 * Limits as they may be saved: a row above the largest batch could never be sent. Stored ones may be older than this
 * rule. A day may have less than a batch: that stops a person for now.
 */
export const newAmountLimits = amountLimits.check(({ value, issues }) => {
  for (const [row, job] of pairs) {
    if (value[row] <= value[job]) continue
    const message = `No more than “${amountLimitLabels[job]}”: more could never be sent.`
    issues.push({ code: "custom", path: [row], message, input: value })
  }
})

/** The limits for people. */
export const amountLimitLabels: Readonly<Record<keyof AmountLimits, string>> = {
  points_row: "Largest single award",
  points_job: "Largest batch",
  points_day: "Most one colleague can award in a day",
  card_row_cents: "Largest gift card",
  card_job_cents: "Largest batch of gift cards",
  card_day_cents: "Most one colleague can issue in a day",
}

/** Limits before an administrator saves others. */
export const firstAmountLimits: AmountLimits = {
  points_row: 100_000,
  points_job: 1_000_000,
  points_day: 5_000_000,
  card_row_cents: 100_000,
  card_job_cents: 2_500_000,
  card_day_cents: 12_500_000,
}

/** Response of `GET /api/limits`: the limits, and what the signed-in person started today. */
export const limitsToday = z.object({
  limits: amountLimits,
  used: z.object({ points: z.int(), card_cents: z.int() }),
})
export type LimitsToday = z.output<typeof limitsToday>

interface KindLimit {
  readonly unit: "points" | "cents"
  /** What a row is: "award". */
  readonly noun: string
  readonly kinds: readonly JobKind[]
  readonly row: number
  readonly job: number
  readonly day: number
}

/** The limit of a kind of job; undefined where nothing is limited. */
export function limitOf(kind: JobKind, set: AmountLimits): KindLimit | undefined {
  const { noun, limit: unit } = jobKindDescriptors[kind]
  if (unit === undefined) return undefined
  const [row, job, day] =
    unit === "points"
      ? [set.points_row, set.points_job, set.points_day]
      : [set.card_row_cents, set.card_job_cents, set.card_day_cents]
  return { unit, noun, kinds: limitedKinds(unit), row, job, day }
}

/** The kinds whose amounts count towards the same limits. */
export function limitedKinds(unit: "points" | "cents"): readonly JobKind[] {
  return kindsWith(({ limit }) => limit === unit)
}

/** Amount of a row in points or cents; 0 for kinds without amounts. `denomination` is in dollars. */
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
  return `At most ${amountText(limit, limit.row, currency)} for one ${limit.noun}. ${whoChangesIt}`
}

export function jobRefusal(limit: KindLimit, moved: number, currency: string): string | undefined {
  if (moved <= limit.job) return undefined
  return `That comes to ${amountText(limit, moved, currency)}; the limit is ${amountText(limit, limit.job, currency)} a job. ${whoChangesIt}`
}

/** Why a job is above what is left of a person's day, of which `used` is started; undefined when it is not. */
export function dayRefusal(
  limit: KindLimit,
  moved: number,
  used: number,
  currency: string,
): string | undefined {
  if (used + moved <= limit.day) return undefined
  const said = (value: number) => amountText(limit, value, currency)
  const left = Math.max(0, limit.day - used)
  return `That comes to ${said(moved)}; ${said(left)} are left of the ${said(limit.day)} that one person may start in a day. ${whoChangesIt}`
}

function amountText({ unit }: KindLimit, value: number, currency: string): string {
  const amount = unit === "points" ? value : value / 100
  const digits = Number.isInteger(amount) ? 0 : 2
  const number = amount.toLocaleString("en-AU", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  if (unit === "cents") return `${currency} ${number}`
  return value === 1 ? "1 point" : `${number} points`
}
