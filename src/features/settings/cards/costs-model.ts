import { cardCosts, type CardCosts } from "../../../../contract/cards.ts"
import { centsOf, readDollars } from "../../../lib/format.ts"
import * as z from "zod/mini"

/** What the form of costs holds, as typed; an empty fund is one that nobody entered. */
const costsValues = z.object({ fee: z.string(), gst: z.string(), fund: z.string() })
/** What the form of costs holds. */
export type CostsValues = z.output<typeof costsValues>

/** The fields of costs that were saved. */
export function costsFields({ fee_cents, gst_percent, fund_cents }: CardCosts): CostsValues {
  return {
    fee: (fee_cents / 100).toFixed(2),
    gst: String(gst_percent),
    fund: fund_cents === null ? "" : (fund_cents / 100).toFixed(2),
  }
}

/**
 * The form's rules. A fund that was typed anew is what is in it now: the cards issued from then on are taken off it.
 * @param before what was saved
 * @param now ms
 */
export function costsSchema(before: CardCosts, now: () => number): z.ZodMiniType<CardCosts, CostsValues> {
  return z.pipe(
    costsValues.check(({ value, issues }) => {
      const problem = (field: string, message: string) =>
        issues.push({ code: "custom", path: [field], message, input: value })
      if (Number.isNaN(readDollars(value.fee))) problem("fee", "Enter an amount such as 2.50, or 0 for none.")
      if (!/^\d{1,3}(\.\d+)?$/.test(value.gst.trim()) || Number(value.gst) > 100) {
        problem("gst", "Enter 0 to 100 percent.")
      }
      if (value.fund.trim() !== "" && Number.isNaN(readDollars(value.fund))) {
        problem("fund", "Enter an amount such as 12,500.00, or leave empty.")
      }
    }),
    z.transform((value) => costsOf(value, before, now())),
  )
}

function costsOf({ fee, gst, fund }: CostsValues, before: CardCosts, now: number): CardCosts {
  const fundCents = fund.trim() === "" ? null : centsOf(readDollars(fund))
  const same = fund.trim() === costsFields(before).fund
  return cardCosts.parse({
    fee_cents: centsOf(readDollars(fee)),
    gst_percent: Number(gst),
    fund_cents: fundCents,
    fund_at: same ? before.fund_at : fundCents === null ? null : new Date(now).toISOString(),
  })
}
