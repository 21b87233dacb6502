import * as z from "zod/mini"
import { redeemBody, shippingAddress, type ShippingAddress } from "../../contract/program/reward.ts"
import type { RowRecord } from "../jobs/job-store.ts"

/** What of a redemption tells where its order goes. */
export interface RedeemedHere {
  readonly address: ShippingAddress | undefined
  /** When the address was removed from the row, ms since 1970; undefined: it was not. */
  readonly removedAt: number | undefined
  readonly quantity: number
  readonly capturedAt: number | null
}

const removal = z.object({ address_removed_at: z.number() })

/** Reads a row of a redemption. An address may be gone from it. */
export function redeemedHere({ input, work, firstSentAt }: RowRecord): RedeemedHere {
  const address = shippingAddress.safeParse(input["shipping_address"])
  const quantity = redeemBody.shape.quantity.safeParse(input["quantity"])
  return {
    address: address.data,
    removedAt: removal.safeParse(work).data?.address_removed_at,
    quantity: quantity.data ?? 1,
    capturedAt: firstSentAt,
  }
}

/** The change of a row that takes its address away for good; undefined for one that has none. */
export function withoutAddress(
  { input, work }: Pick<RowRecord, "input" | "work">,
  at: number,
): Pick<RowRecord, "input" | "work"> | undefined {
  if (!("shipping_address" in input)) return undefined
  const { shipping_address: _removed, ...rest } = input
  return { input: rest, work: { ...work, address_removed_at: at } }
}
