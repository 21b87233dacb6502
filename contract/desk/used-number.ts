import * as z from "zod/mini"
import { limits } from "../limits.ts"
import { plainText } from "../program/text.ts"

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
