import type { OutboxData, Parcel, ParcelQuestion } from "./parcel.ts"

/** Confirmed parcels that are kept to look at. */
const mostShipped = 300
/** How long they are kept, in ms. */
const shippedFor = 24 * 3_600_000

/** A change of an outbox; it answers the same outbox when there is nothing to change. */
export type OutboxChange = (data: OutboxData) => OutboxData

/** A parcel was scanned: it stands last. Nothing changes while its order has one here, from another tab perhaps. */
export function add(parcel: Parcel): OutboxChange {
  return (data) =>
    data.parcels.some(({ order_id: id }) => id === parcel.order_id)
      ? data
      : { ...data, parcels: [...data.parcels, parcel] }
}

/** Takes a parcel back, unless it was sent meanwhile. */
export function undo(key: string): OutboxChange {
  return (data) => without(data, ({ key: each, state }) => each === key && state === "waiting")
}

/**
 * Undoes a parcel that was sent already, confirmed or not: a further update sets the order back to what it was before.
 * It is compared with what the parcel set, so nothing that somebody else changed since is overwritten. Once per parcel.
 */
export function undoSent(key: string, newKey: string, now: number): OutboxChange {
  return (data) => {
    const sent = data.parcels.find((each) => each.key === key && each.state === "sent")
    const parcel = sent ?? data.shipped.find((each) => each.key === key)
    const before = parcel?.expected
    if (parcel === undefined || before === undefined || sent?.undoes !== undefined) return data
    const { order_id, tracking_number, carrier } = parcel
    if (undoneOrders(data).has(order_id)) return data
    const set = { status: "shipped", tracking_number, carrier: carrier ?? before.carrier ?? null }
    const undoing: Parcel = {
      key: newKey,
      at: now,
      order_id,
      tracking_number,
      carrier,
      expected: set,
      unchecked: [],
      state: "waiting",
      job: null,
      question: null,
      undoes: before,
    }
    return { ...data, parcels: [...data.parcels, undoing] }
  }
}

/** Orders whose parcel is being undone: what they were given is on its way out. */
export function undoneOrders({ parcels }: OutboxData): Set<string> {
  return new Set(parcels.flatMap(({ order_id: id, undoes }) => (undoes === undefined ? [] : [id])))
}

/** A parcel is about to be sent, with what was found out before; from here on nothing in it changes. */
export function claim(key: string, carrier: string | null): OutboxChange {
  return (data) =>
    where(data, key, ["waiting"], (parcel) => ({ ...parcel, carrier, unchecked: [], state: "sent" }))
}

/** The desk's server has taken it. */
export function taken(key: string, job: string): OutboxChange {
  return (data) => where(data, key, ["sent"], (parcel) => ({ ...parcel, job }))
}

/** A person is needed. */
export function ask(key: string, question: ParcelQuestion): OutboxChange {
  return (data) =>
    where(data, key, ["waiting", "sent", "asks"], (parcel) => {
      const same = parcel.state === "asks" && parcel.question?.code === question.code
      return same ? parcel : { ...parcel, state: "asks", question }
    })
}

/** Its job goes on: somebody answered, here or elsewhere. */
export function goOn(key: string): OutboxChange {
  return (data) => where(data, key, ["asks"], (parcel) => ({ ...parcel, state: "sent", question: null }))
}

/**
 * A person says that it is to be sent as it is, or by this carrier. Only while nothing of it was done: it has no job, or
 * one that was cancelled before it was sent. It gets a new key, because what is sent may be another thing than before.
 */
export function release(key: string, newKey: string, carrier?: string): OutboxChange {
  return (data) =>
    where(data, key, ["asks"], (parcel) =>
      parcel.job === null || parcel.question?.kind === "cancelled"
        ? {
            ...parcel,
            key: newKey,
            job: null,
            carrier: carrier ?? parcel.carrier,
            unchecked: [],
            state: "waiting",
            question: null,
          }
        : parcel,
    )
}

/** Its order is confirmed: it leaves the outbox. An undo takes what it undid with it. */
export function confirm(key: string, now: number): OutboxChange {
  return (data) => {
    const parcel = data.parcels.find((each) => each.key === key)
    if (parcel === undefined) return data
    const { order_id, tracking_number, carrier, expected, at: scanned_at } = parcel
    if (parcel.undoes !== undefined) {
      const undone = (each: OutboxData["shipped"][number]) =>
        each.order_id === order_id && each.tracking_number === tracking_number
      return {
        ...without(data, (each) => each === parcel),
        shipped: data.shipped.filter((each) => !undone(each)),
      }
    }
    return {
      ...without(data, (each) => each === parcel),
      shipped: [{ key, order_id, tracking_number, carrier, expected, scanned_at, at: now }, ...data.shipped]
        .filter(({ at }) => now - at < shippedFor)
        .slice(0, mostShipped),
    }
  }
}

/** A person dealt with it otherwise: it leaves the outbox and was not shipped here. */
export function drop(key: string): OutboxChange {
  return (data) => without(data, ({ key: each, state }) => each === key && state !== "waiting")
}

function where(
  data: OutboxData,
  key: string,
  states: readonly Parcel["state"][],
  change: (parcel: Parcel) => Parcel,
): OutboxData {
  const at = data.parcels.findIndex((each) => each.key === key && states.includes(each.state))
  const before = data.parcels[at]
  if (before === undefined) return data
  const after = change(before)
  return after === before ? data : { ...data, parcels: data.parcels.with(at, after) }
}

function without(data: OutboxData, leaves: (parcel: Parcel) => boolean): OutboxData {
  const parcels = data.parcels.filter((parcel) => !leaves(parcel))
  return parcels.length === data.parcels.length ? data : { ...data, parcels }
}
