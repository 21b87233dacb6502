import * as z from "zod/mini"
import { limits } from "./limits.ts"
import { shippingAddress } from "./program/reward.ts"
import { plainText } from "./program/common.ts"

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

/**
 * Answer of `POST /api/orders/{id}/reveal`, for one screen only. `seen`: in the order as it is now, or in the answer to
 * the redemption, which is kept for a moment for whoever redeemed.
 */
export const orderCode = z.object({
  order_id: z.string(),
  code: z.nullable(z.string()),
  why_none: z.nullable(z.enum(["not_carried"])),
  /** Said where there is none. */
  message: z.nullable(z.string()),
  seen: z.nullable(z.enum(["redemption", "order"])),
})
/** What a reveal answers. */
export type OrderCode = z.output<typeof orderCode>

/** Body of `POST /api/orders/used-numbers`: tracking numbers, and an order that may well have them. */
export const usedNumbersBody = z.strictObject({
  numbers: z
    .array(plainText().check(z.minLength(1)))
    .check(z.minLength(1), z.maxLength(limits.numbersAtOnce)),
  except: z.optional(plainText()),
})

/** Where tracking numbers stand already, as far as was looked: nothing is asked of the service for this. */
export const usedNumbers = z.object({
  used: z.array(
    z.object({
      number: z.string(),
      order_id: z.string(),
      /** In a row of a job of ours, or on an order that was read lately. */
      where: z.enum(["job", "order"]),
      job: z.nullable(z.string()),
      /** When the row was made or the order was read; ISO 8601. */
      at: z.string(),
    }),
  ),
  looked: z.object({
    /** Rows of our own that were looked through, and since when; ISO 8601. */
    rows: z.int(),
    since: z.nullable(z.string()),
    /** Orders whose copies were looked through, and the age of the oldest one; ISO 8601. */
    orders: z.int(),
    oldest_order_copy: z.nullable(z.string()),
  }),
})
/** Where tracking numbers stand already. */
export type UsedNumbers = z.output<typeof usedNumbers>
