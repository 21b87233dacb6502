import { guardNumber, sameNumber } from "../guards.ts"
import type { KnownOrder } from "../known-order.ts"
import { undoneOrders } from "../outbox/outbox-changes.ts"
import type { FlowPorts } from "./flow-ports.ts"
import type { FoundNumber, Refusal } from "./flow-state.ts"

/** What came of a parcel's number. `other`: the order that has it already. */
export type NumberRead =
  | { readonly type: "read"; readonly found: FoundNumber; readonly other: string | undefined }
  | { readonly type: "refused"; readonly refusal: Refusal }

/**
 * Reads what was scanned as a parcel's number. What only the server knows is marked as unchecked when it cannot be
 * asked: it is looked up before the parcel is sent.
 */
export async function readNumber(
  text: string,
  order: KnownOrder,
  ports: FlowPorts,
  onWait: () => void,
): Promise<NumberRead> {
  const verdict = guardNumber(text)
  if (verdict.type === "blocked") return { type: "refused", refusal: verdict }

  const asked = ports.isOffline() ? undefined : await askServer(text, order, ports, onWait)
  const other = otherOrder(text, order, ports, asked)
  const carrier = asked?.carrier ?? (asked?.candidates === undefined ? likelyCarrier(text, ports) : null)
  const unchecked: FoundNumber["unchecked"] = [
    ...(asked?.looked === true ? [] : ["number" as const]),
    ...(asked?.candidates !== undefined || carrier !== null ? [] : ["carrier" as const]),
  ]
  return {
    type: "read",
    found: { number: text, carrier, candidates: asked?.candidates ?? [], unchecked },
    other,
  }
}

/**
 * Another order that has the number. One whose parcel is being undone gives it away; and what was shipped here is asked of
 * the server where it can be, which knows of corrections since.
 */
function otherOrder(
  text: string,
  order: KnownOrder,
  { outbox, loaded }: FlowPorts,
  asked: Awaited<ReturnType<typeof askServer>> | undefined,
): string | undefined {
  const data = outbox.data.get()
  const free = undoneOrders(data).add(order.id)
  const here = [
    ...data.parcels,
    ...(asked?.looked === true ? [] : data.shipped),
    ...loaded().map(({ id, tracking_number }) => ({ order_id: id, tracking_number })),
  ].find(
    ({ order_id, tracking_number: number }) =>
      !free.has(order_id) && number !== null && sameNumber(number, text),
  )
  const there = asked?.other
  return here?.order_id ?? (there === undefined || free.has(there) ? undefined : there)
}

/** What the server says. `candidates` undefined: it did not say whose number it is; `looked`: who else has it. */
async function askServer(text: string, order: KnownOrder, ports: FlowPorts, onWait: () => void) {
  onWait()
  const [used, recognised] = await Promise.allSettled([ports.used(text, order.id), ports.recognise(text)])
  const whose = recognised.status === "fulfilled" ? recognised.value : undefined
  return {
    looked: used.status === "fulfilled",
    other: used.status === "fulfilled" ? used.value : undefined,
    carrier: ports.carriers().find(({ code }) => code === whose?.chosen)?.name ?? null,
    candidates: whose?.carriers,
  }
}

/** Whose numbers of the same beginning and length were, as far as they went from here; null where they differ. */
function likelyCarrier(text: string, { outbox }: FlowPorts): string | null {
  const { parcels, shipped } = outbox.data.get()
  const alike = [...parcels, ...shipped].filter(({ tracking_number: number }) => isAlike(number, text))
  const carriers = new Set(alike.flatMap(({ carrier }) => (carrier === null ? [] : [carrier])))
  const [only] = carriers
  return carriers.size === 1 && only !== undefined ? only : null
}

function isAlike(one: string, other: string): boolean {
  return one.length === other.length && one.slice(0, 4).toUpperCase() === other.slice(0, 4).toUpperCase()
}
