import * as z from "zod/mini"

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
