import { between, pick, type Random } from "../random.ts"

/** What an award of the history says: its reason, points, reference and metadata. */
export interface AwardText {
  readonly reason: string
  readonly points: number
  readonly reference: string | null
  readonly metadata: Record<string, unknown> | null
}

const installs = [
  "Split system install",
  "Multi-head install",
  "Ducted system sale",
  "Ducted retrofit",
  "Hot water heat pump sale",
  "Cassette install",
  "Commissioning report filed",
] as const
const courses = [
  "R32 handling",
  "heat pump basics",
  "commissioning",
  "quoting ducted systems",
  "working at heights",
] as const
const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const
const models = ["KX-25", "KX-35", "KX-50", "KX-71", "DU-100", "DU-140", "HP-270"] as const

/** An award as a dealer would see it: mostly invoices, some volume tiers and training. */
export function awardText(random: Random, created: number): AwardText {
  const kind = random()
  const invoice = `INV-${between(random, 41_000, 88_999)}`
  if (kind < 0.68) {
    const units = between(random, 1, 4)
    return {
      reason: units === 1 ? pick(random, installs) : `${pick(random, installs)} ×${units}`,
      points: units * 50 * between(random, 2, 9),
      reference: invoice,
      metadata: random() < 0.4 ? { model: pick(random, models), units } : null,
    }
  }
  if (kind < 0.84) {
    const month = months[new Date(created).getUTCMonth()]
    return {
      reason: `${month} volume tier`,
      points: 200 * between(random, 3, 12),
      reference: invoice,
      metadata: null,
    }
  }
  if (kind < 0.94) {
    return {
      reason: `Training: ${pick(random, courses)}`,
      points: 150,
      reference: `LMS-${between(random, 1000, 9999)}`,
      metadata: null,
    }
  }
  return {
    reason: pick(random, ["Referral bonus", "Winter promotion", "Summer sprint"]),
    points: 500,
    reference: null,
    metadata: null,
  }
}

/** Why points were taken back by hand. */
export function deductText(random: Random): string {
  return pick(random, ["Returned unit", "Invoice credited", "Claimed twice", "Warranty claim declined"])
}
