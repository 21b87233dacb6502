import * as z from "zod/mini"
import { cardCosts, cardPairs, cardTemplates } from "./cards.ts"
import { limits } from "./limits.ts"
import { amountLimits, firstAmountLimits, newAmountLimits } from "./amount-limits.ts"
import { carrierSettings, firstCarriers } from "./orders.ts"
import { isCountryCode, isStorable, requiredText } from "./program/common.ts"

/** A name as a service gave it: kept to the letter, spaces at its ends too. */
const given = (max: number) => z.string().check(z.minLength(1), z.maxLength(max), z.refine(isStorable))

/** The name of a field in a ranking: the names on the way to it, joined by dots (`member.display_name`). */
const field = given(400)

/** Which fields of a board's rankings are what: recognised, or as a person said, because the document shows none. */
const rankingRoles = z.strictObject({
  rank: z.nullable(field),
  member: z.nullable(field),
  /** One field, or the first and the last name; none when the rankings carry no name. */
  name: z.array(field).check(z.maxLength(2)),
  note: z.nullable(field),
  score: z.nullable(field),
})
export type RankingRoles = z.output<typeof rankingRoles>

/** Saved field roles of boards, shared by everyone: one entry per board. */
export const leaderboardMappings = z.strictObject({
  boards: z.array(z.strictObject({ id: given(limits.shortText), roles: rankingRoles })).check(
    z.maxLength(200),
    z.refine(
      (all) => new Set(all.map(({ id }) => id)).size === all.length,
      "Each board can appear only once.",
    ),
  ),
})
export type LeaderboardMappings = z.output<typeof leaderboardMappings>

const noMappings: LeaderboardMappings = { boards: [] }

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== ""
  } catch {
    return false
  }
}

/** Where most parcels go, ISO 3166-1 alpha-2. */
export const programCountry = z
  .string()
  .check(z.refine(isCountryCode, "Enter a country code of two letters such as AU."))

export const programSettings = z.strictObject({
  name: requiredText("the program’s name", 80),
  time_zone: z.string().check(z.refine(isTimeZone, "Choose a time zone such as Australia/Brisbane.")),
  currency: z.string().check(z.regex(/^[A-Z]{3}$/, "Enter a currency code of three letters such as AUD.")),
  // Default for settings saved before the field existed.
  country: z._default(programCountry, "AU"),
})
export type ProgramSettings = z.output<typeof programSettings>

/** A whole number between two. */
const integer = (least: number, most: number) => {
  const message = `Enter a whole number from ${least} to ${most.toLocaleString("en-AU")}.`
  return z.int(message).check(z.minimum(least, message), z.maximum(most, message))
}

/** A reward with this many pieces or fewer is low on stock. */
export const stockSettings = z.strictObject({ low: integer(0, 100_000) })

const seconds = integer(0, 3600)

/** How long cached responses stay fresh, in seconds (docs/reads.md). */
export const cacheSettings = z.strictObject({
  members: seconds,
  rewards: seconds,
  leaderboards: seconds,
  orders: seconds,
})
export type CacheSettings = z.output<typeof cacheSettings>

export const pointsSettings = z.strictObject({
  /** Without batch codes an award that got no response is settled by a person (docs/jobs.md). */
  batch_code: z.boolean(),
})

/** The sender on packing slips: a name and an address, line by line; empty prints none. */
export const senderSettings = z.strictObject({
  address: z.string().check(z.trim(), z.maxLength(300), z.refine(isStorable)),
})
export type SenderSettings = z.output<typeof senderSettings>

export const retentionSettings = z.strictObject({ address_days: integer(1, 3650) })

/** Every settings document: its name for people, its schema, a stricter one for saving, and its initial value. */
export const settingsDocuments = {
  program: {
    label: "Program",
    schema: programSettings,
    initial: { name: "Incentive program", time_zone: "Australia/Brisbane", currency: "AUD", country: "AU" },
  },
  limits: { label: "Limits", schema: amountLimits, toSave: newAmountLimits, initial: firstAmountLimits },
  points: { label: "Bulk awards", schema: pointsSettings, initial: { batch_code: true } },
  cardTemplates: {
    label: "Card templates",
    schema: cardTemplates,
    initial: { templates: [], default: null },
  },
  cardCosts: {
    label: "Card costs and fund",
    schema: cardCosts,
    initial: { fee_cents: 0, gst_percent: 10, fund_cents: null, fund_at: null },
  },
  cardPairs: { label: "Refused card amounts", schema: cardPairs, initial: { refused: [] } },
  sender: { label: "Sender", schema: senderSettings, initial: { address: "" } },
  carriers: { label: "Carriers", schema: carrierSettings, initial: firstCarriers },
  leaderboardMappings: { label: "Leaderboard fields", schema: leaderboardMappings, initial: noMappings },
  stock: { label: "Low stock", schema: stockSettings, initial: { low: 10 } },
  retention: { label: "Captured addresses", schema: retentionSettings, initial: { address_days: 90 } },
  cache: {
    label: "Cached data",
    schema: cacheSettings,
    initial: { members: 30, rewards: 300, leaderboards: 60, orders: 15 },
  },
} as const
export type SettingsName = keyof typeof settingsDocuments
export type SettingsValue<Name extends SettingsName> = z.output<(typeof settingsDocuments)[Name]["schema"]>
