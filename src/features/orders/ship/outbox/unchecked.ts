import type { ParcelCalls } from "./parcel-calls.ts"
import type { Parcel, ParcelQuestion } from "./parcel.ts"

/** What came of what could not be looked up when a parcel was scanned. */
interface Settled {
  readonly carrier: string | null
  /** Set: a person has to answer before it is sent. */
  readonly question?: ParcelQuestion
}

/**
 * Looks up, before a parcel is sent, what could not be looked up when it was scanned: whether another order has its
 * number, and whose number it is. Throws what the calls throw.
 */
export async function settleUnchecked(
  { unchecked, tracking_number: number, order_id, carrier }: Parcel,
  calls: Pick<ParcelCalls, "used" | "carrierOf">,
): Promise<Settled> {
  if (unchecked.includes("number")) {
    const other = await calls.used(number, order_id)
    if (other !== undefined) {
      const message = `${other} has this number already. That could not be looked up when it was scanned.`
      return { carrier, question: { kind: "held", code: "number_used", message } }
    }
  }
  if (!unchecked.includes("carrier") || carrier !== null) return { carrier }
  const found = await calls.carrierOf(number)
  if (found !== null) return { carrier: found }
  const message = "The carrier of this number wasn’t known when it was scanned."
  return { carrier, question: { kind: "held", code: "carrier_unknown", message } }
}
