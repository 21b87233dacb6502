import type { PointsReport } from "../../../../contract/points-report.ts"
import { formatPoints } from "../../../lib/format.ts"
import { shortMonths } from "../../../lib/time.ts"

/** Days shown, today among them. */
export const daysShown = 30

/** Points awarded on one day. */
export interface AwardDay {
  /** `2026-11-21`, in the program's time zone. */
  readonly day: string
  readonly points: number
}

/** The first of the days shown. */
export function firstDay(today: string): string {
  return dayBeside(today, 1 - daysShown)
}

/** Every day up to today with what was awarded on it, also those without an award. */
export function awardDays(rows: PointsReport["rows"], today: string): readonly AwardDay[] {
  const points = new Map(rows.map(({ group, awarded }) => [group, awarded]))
  return Array.from({ length: daysShown }, (_, at) => {
    const day = dayBeside(today, at + 1 - daysShown)
    return { day, points: points.get(day) ?? 0 }
  })
}

/** `12 Nov`. */
export function dayWord(day: string): string {
  const [, month, date] = day.split("-").map(Number)
  return `${date} ${shortMonths[(month ?? 1) - 1]}`
}

/** The top of the axis: a round number that holds the largest bar, and half of it is still a whole one. */
export function axisTop(most: number): number {
  if (most <= 2) return 2
  const power = 10 ** Math.floor(Math.log10(most))
  return ([1, 2, 4, 6, 8].find((step) => step * power >= most) ?? 10) * power
}

/** A number on the axis: `25k`, `1.5m`, `500`. */
export function axisWord(points: number): string {
  if (points >= 1_000_000) return `${Number((points / 1_000_000).toFixed(2))}m`
  return points >= 1000 ? `${Number((points / 1000).toFixed(1))}k` : String(points)
}

/** What the chart shows, for those who do not see it. */
export function awardsSentence(days: readonly AwardDay[]): string {
  const total = days.reduce((sum, { points }) => sum + points, 0)
  const most = days.reduce((best, day) => (day.points > best.points ? day : best))
  const today = days.at(-1)?.points ?? 0
  return `${formatPoints(total)} points in ${days.length} days, most on ${dayWord(most.day)} with ${formatPoints(most.points)}; ${formatPoints(today)} today.`
}

function dayBeside(day: string, steps: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + steps * 86_400_000).toISOString().slice(0, 10)
}
