import type { CreateJobBody } from "../../../../contract/job.ts"
import { redeemBody, shippingAddress, type ShippingAddress } from "../../../../contract/program/reward.ts"
import * as z from "zod/mini"

/** What the form's fields hold. */
export const redeemValues = z.object({
  quantity: z.string(),
  name: z.string(),
  line1: z.string(),
  line2: z.string(),
  city: z.string(),
  state: z.string(),
  postal_code: z.string(),
  country: z.string(),
})
/** What the form's fields hold. */
export type RedeemValues = z.output<typeof redeemValues>

/** What is sent of them. */
export interface RedeemEntry {
  readonly quantity: number
  readonly shipping_address?: ShippingAddress
}

/**
 * Whether an address is asked for (docs/api/program.md, Rewards, rule 2). A type the document does not know may have
 * one and need not.
 */
export type AddressNeed = "required" | "optional" | "none"

/** What a reward's type means for the address. */
export function addressNeed(type: string | null | undefined): AddressNeed {
  const known = type?.toLowerCase()
  return known === "physical" ? "required" : known === "digital" ? "none" : "optional"
}

/** One piece, sent to the member by name. */
export function firstValues(memberName: string): RedeemValues {
  return {
    quantity: "1",
    name: memberName,
    line1: "",
    line2: "",
    city: "",
    state: "",
    postal_code: "",
    country: "",
  }
}

/** Pieces as typed; NaN for anything but a whole number. */
export function readQuantity(text: string): number {
  return /^\d{1,4}$/.test(text.trim()) ? Number(text) : Number.NaN
}

/** The form's rules. Problems stand at the fields. */
export function redeemSchema(need: AddressNeed): z.ZodMiniType<RedeemEntry, RedeemValues> {
  return z.pipe(
    redeemValues.check((ctx) => {
      const { value } = ctx
      if (!redeemBody.shape.quantity.safeParse(readQuantity(value.quantity)).success) {
        ctx.issues.push({
          code: "custom",
          path: ["quantity"],
          message: "Enter a whole number from 1 to 1,000,000.",
          input: value.quantity,
        })
      }
      if (!hasAddress(need, value)) return
      const read = redeemBody.shape.shipping_address.safeParse(addressOf(value))
      for (const { path, message } of read.error?.issues ?? []) {
        ctx.issues.push({ code: "custom", path: [...path], message, input: value })
      }
    }),
    z.transform((value) => ({
      quantity: readQuantity(value.quantity),
      ...(hasAddress(need, value) ? { shipping_address: shippingAddress.parse(addressOf(value)) } : {}),
    })),
  )
}

/** One row, as the document's body has it. */
export function redeemJob(memberId: string, rewardId: string, entry: RedeemEntry): CreateJobBody {
  return { kind: "redeem", rows: [{ member_id: memberId, reward_id: rewardId, ...entry }] }
}

/** The fields as they were sent, to be corrected. */
export function valuesOf({ quantity = 1, shipping_address }: z.output<typeof redeemBody>): RedeemValues {
  const none = firstValues("")
  return {
    ...none,
    ...shipping_address,
    line2: shipping_address?.line2 ?? "",
    state: shipping_address?.state ?? "",
    quantity: String(quantity),
  }
}

function hasAddress(need: AddressNeed, { line1, city, postal_code, country }: RedeemValues): boolean {
  return (
    need === "required" || (need === "optional" && `${line1}${city}${postal_code}${country}`.trim() !== "")
  )
}

/** What may be left empty is left out: a field that is sent empty may be refused. */
function addressOf(value: RedeemValues) {
  const { name, line1, line2, city, state, postal_code, country } = value
  return {
    name,
    line1,
    ...(line2.trim() === "" ? {} : { line2 }),
    city,
    ...(state.trim() === "" ? {} : { state }),
    postal_code,
    country,
  }
}
