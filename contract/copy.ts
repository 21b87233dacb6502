import * as z from "zod/mini"

/** The field of a sort parameter, `usual` for an unknown one; `-field` is descending. */
export function sortOf<Field extends string>(
  sort: string,
  fields: readonly Field[],
  usual: Field,
): { field: Field; descending: boolean } {
  const descending = sort.startsWith("-")
  const name = descending ? sort.slice(1) : sort
  return { field: fields.find((field) => field === name) ?? usual, descending }
}

/** Fields that lists of members sort by; `name` is first and last name. */
export const memberSortFields = [
  "name",
  "id",
  "email",
  "company",
  "phone",
  "points_balance",
  "tier",
  "status",
  "created_at",
  "updated_at",
] as const
export type MemberSortField = (typeof memberSortFields)[number]

/** Fields that lists of orders sort by; `member` is the member's name. */
export const orderSortFields = [
  "id",
  "member",
  "reward",
  "status",
  "points_spent",
  "type",
  "tracking_number",
  "created_at",
  "shipped_at",
  "member_id",
  "reward_id",
] as const
export type OrderSortField = (typeof orderSortFields)[number]

/** Fields that lists of rewards sort by. */
export const rewardSortFields = ["id", "name", "category", "type", "status", "stock", "points_cost"] as const
export type RewardSortField = (typeof rewardSortFields)[number]

/** Fields that ledgers sort by; `created_at` is the order in which entries were booked. */
export const ledgerSortFields = [
  "created_at",
  "type",
  "reason",
  "reference",
  "points",
  "balance_after",
] as const
export type LedgerSortField = (typeof ledgerSortFields)[number]

/** Why a sync waits for a person: too many records are missing together, or the key knows none of them. */
export const holdReasons = ["missing", "key"] as const

/** `off`: SYNC=off. Lists make one request to the service, as before the first pass is complete. */
const copyModes = ["file", "database", "memory", "off"] as const

/** The local copy of one kind of record. */
const syncStatus = z.object({
  /** Records held, and the service's own count as last sent. */
  live: z.number(),
  total: z.nullable(z.number()),
  complete: z.boolean(),
  /** End of the last pass, ISO 8601. */
  synced_at: z.nullable(z.string()),
  held: z.nullable(
    z.object({ reason: z.enum(holdReasons), at: z.string(), missing: z.number(), live: z.number() }),
  ),
})
export type SyncStatus = z.output<typeof syncStatus>

/** The state of the local copy on the status page, by kind of record; null when it is off. */
export const copyStatus = z.object({
  mode: z.enum(copyModes),
  members: z.nullable(syncStatus),
  orders: z.nullable(syncStatus),
  rewards: z.nullable(syncStatus),
  ledgers: z.nullable(syncStatus),
})
export type CopyStatus = z.output<typeof copyStatus>

/** What a person decides about a held sync. */
const holdDecisions = ["wait", "accept"] as const
export type HoldDecision = (typeof holdDecisions)[number]
/** Kinds of records whose sync may be held. */
export const heldKinds = ["members", "rewards"] as const
export type HeldKind = (typeof heldKinds)[number]
export const holdDecision = z.strictObject({
  kind: z.optional(z.enum(heldKinds)),
  decision: z.enum(holdDecisions),
})

/**
 * What the `meta` of a list says besides its position. Until every record is in the copy, `complete` is false: the list
 * is then the service's own, and `synced` says how many records the copy has; null when it is off.
 */
export const copyMeta = z.object({
  complete: z.boolean(),
  /** End of the last pass, ISO 8601. */
  synced_at: z.nullable(z.string()),
  /** A pass is under way. */
  syncing: z.boolean(),
  synced: z.nullable(z.object({ live: z.int(), total: z.nullable(z.int()) })),
})
export type CopyMeta = z.output<typeof copyMeta>
