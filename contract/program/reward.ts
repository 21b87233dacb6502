import * as z from "zod/mini"
import { limits } from "../limits.ts"
import { countryProblem, idText, isCountryCode, paging, plainText, requiredText } from "./common.ts"
import { listReader, type ReadRecord, recordReader } from "../reading.ts"

/** Kinds of rewards; only physical ones need an address (docs/api/program.md, Rewards, rule 2). */
export const rewardTypes = ["digital", "physical"] as const
export const rewardStatuses = ["active", "inactive"] as const

const keys = { id: z.string().check(z.minLength(1)) }
const rest = {
  name: z.string(),
  description: z.optional(z.string()),
  points_cost: z.int(),
  category: z.optional(z.string()),
  type: z.enum(rewardTypes),
  status: z.enum(rewardStatuses),
  image_url: z.optional(z.string()),
  /** Pieces left; null is unlimited. */
  stock: z.nullable(z.int()),
}
/** Reads one reward. `points_cost` is in points a piece. */
export const rewardReader = recordReader(keys, rest)
export const rewardListReader = listReader(rewardReader)
export type Reward = ReadRecord<typeof keys, typeof rest>

/** Whether an active reward has `low` pieces left or fewer. */
export function isLowOnStock({ status, stock }: Reward, low: number): boolean {
  return stock !== null && stock !== undefined && stock <= low && status?.toLowerCase() !== "inactive"
}

/** Where a physical reward goes (docs/api/program.md, ShippingAddress). `country` is ISO 3166-1 alpha-2. */
export const shippingAddress = z.strictObject({
  name: requiredText("a name"),
  line1: requiredText("the street and number"),
  line2: z.optional(plainText()),
  city: requiredText("a city"),
  state: z.optional(plainText()),
  postal_code: requiredText("a postcode", 20),
  country: z.string().check(z.regex(/^[A-Z]{2}$/, "Choose a country.")),
})
export type ShippingAddress = z.output<typeof shippingAddress>

/** A redemption for a member (docs/api/program.md, Rewards). */
export const redeemBody = z.strictObject({
  member_id: idText("Choose a member."),
  reward_id: idText("Choose a reward."),
  quantity: z.optional(
    z.int("Whole pieces only.").check(z.minimum(limits.quantity.min, "At least 1 piece.")),
  ),
  // An address that was kept may name another code: only what is sent is held against the standard.
  shipping_address: z.optional(
    z.extend(shippingAddress, {
      country: z
        .string()
        .check(z.refine(isCountryCode, { error: ({ input }) => countryProblem(String(input)) })),
    }),
  ),
})
export type RedeemBody = z.output<typeof redeemBody>

/** Query of the catalogue. Only the narrative reference has the points range (docs/api/program.md, Rewards, rule 3). */
export const rewardListQuery = z.strictObject({
  ...paging,
  category: z.optional(z.string().check(z.maxLength(limits.shortText))),
  status: z.optional(z.enum(rewardStatuses)),
  type: z.optional(z.enum(rewardTypes)),
  min_points: z.optional(z.int()),
  max_points: z.optional(z.int()),
})
