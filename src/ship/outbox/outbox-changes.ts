import type { OutboxData, Parcel, ParcelQuestion } from "./parcel.ts"

/** Confirmed parcels that are kept to look at. */
const mostShipped = 300
/** How long they are kept, in ms. */
const shippedFor = 24 * 3_600_000

/** A change of an outbox; it answers the same outbox when there is nothing to change. */
export type OutboxChange = (data: OutboxData) => OutboxData

/** A parcel was scanned: it stands last. */
export function add(parcel: Parcel): OutboxChange {
  return (data) => ({ ...data, parcels: [...data.parcels, parcel] })
}

/** Takes a parcel back, unless it was sent meanwhile. */
export function undo(key: string): OutboxChange {
  return (data) => without(data, ({ key: each, state }) => each === key && state === "waiting")
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

/** Its order is confirmed: it leaves the outbox. */
export function confirm(key: string, now: number): OutboxChange {
  return (data) => {
    const parcel = data.parcels.find((each) => each.key === key)
    if (parcel === undefined) return data
    const { order_id, tracking_number, carrier } = parcel
    return {
      ...without(data, (each) => each === parcel),
      shipped: [{ order_id, tracking_number, carrier, at: now }, ...data.shipped]
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
