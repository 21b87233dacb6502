import * as z from "zod/mini"
import { limits } from "../limits.ts"
import { shippingAddress } from "../program/reward.ts"

/** Body of `POST /api/orders/addresses`: orders whose addresses are printed together. */
export const orderAddressesBody = z.strictObject({
  ids: z
    .array(z.string().check(z.minLength(1), z.maxLength(limits.shortText)))
    .check(z.minLength(1), z.maxLength(limits.ordersAtOnce)),
})

/**
 * Where an order goes, as it was captured when it was redeemed at this desk: the service never shows an address. `why_none`:
 * it was redeemed elsewhere, it needed no address, or the address was removed when its time was over.
 */
export const orderAddress = z.object({
  order_id: z.string(),
  address: z.nullable(shippingAddress),
  why_none: z.nullable(z.enum(["not_redeemed_here", "none_given", "removed"])),
  /** ISO 8601. */
  captured_at: z.nullable(z.string()),
  removed_at: z.nullable(z.string()),
  quantity: z.object({
    /** null: it cannot be told. */
    pieces: z.nullable(z.int()),
    /** Points spent, shared by what the reward costs now: the service never says a quantity. */
    inferred: z.boolean(),
  }),
})
/** Where an order goes, and how many pieces. */
export type OrderAddress = z.output<typeof orderAddress>
