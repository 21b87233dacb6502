import { createStore as createState } from "zustand"
import { createStore, get, update, type UseStore } from "idb-keyval"
import * as z from "zod/mini"
import { orderBaseline } from "../../../../contract/kinds/order-update.ts"

/**
 * Why a parcel needs a person. `held`: not sent yet; `refused`: the server did not accept its row; `cancelled`: its
 * job was cancelled before sending; `gone`: its job does not exist any more; the rest are its row's state.
 */
const parcelQuestion = z.object({
  kind: z.enum(["held", "refused", "cancelled", "gone", "failed", "absent", "conflict"]),
  code: z.string(),
  message: z.string(),
})
export type ParcelQuestion = z.output<typeof parcelQuestion>

/** A scanned parcel. Stored in the browser, so the only personal data is a member's id. */
const parcel = z.object({
  /** Idempotency-Key of its row: made with the scan, so that retries never send it twice. */
  key: z.string(),
  /** When it was scanned, in ms since the epoch. */
  at: z.number(),
  order_id: z.string(),
  tracking_number: z.string(),
  /** Carrier name to write into the order; null: none. */
  carrier: z.nullable(z.string()),
  /** What the order is for, and for whom: a member's id, never a name. */
  subject: z.optional(z.object({ reward: z.string(), member: z.nullable(z.string()) })),
  expected: orderBaseline,
  /** What could not be looked up at the scan: whether another order has the number; its carrier. */
  unchecked: z.array(z.enum(["number", "carrier"])),
  /** `waiting`: unsent, can be undone; `sent`: outcome pending or confirmed; `asks`: a person is needed. */
  state: z.enum(["waiting", "sent", "asks"]),
  /** Id of its job; null: not known to be accepted by the server. */
  job: z.nullable(z.string()),
  /** Number of its row in the job; missing in data of older versions, whose jobs have one row. */
  row: z.optional(z.int()),
  question: z.nullable(parcelQuestion),
  /** Set on the undo of a sent parcel: the values before (docs/ship-desk.md, Undo and correct). */
  undoes: z.optional(orderBaseline),
})
export type Parcel = z.output<typeof parcel>

const shippedParcel = z.extend(parcel, {
  /** When it was confirmed, in ms since the epoch. */
  shipped_at: z.number(),
})
export type ShippedParcel = z.output<typeof shippedParcel>

/** One user's outbox in this browser: parcels in scan order, shipped ones newest first. */
export const outboxData = z.object({
  version: z.literal(1),
  parcels: z.array(parcel),
  // For reference only: those of older versions are left out.
  shipped: z.catch(z.array(shippedParcel), []),
})
export type OutboxData = z.output<typeof outboxData>

export const emptyOutbox: OutboxData = { version: 1, parcels: [], shipped: [] }

/** Confirmed parcels that are kept for reference: maximum number, and age in ms. */
const shippedLimits = { most: 300, for: 24 * 3_600_000 }

/** State of a newly scanned parcel. */
export const newParcelState = {
  unchecked: [],
  state: "waiting",
  job: null,
  question: null,
} satisfies Partial<Parcel>

/** A change of an outbox; returns the same object when there is nothing to change. */
export type OutboxChange = (data: OutboxData) => OutboxData

/** Appends a scanned parcel. No-op while its order already has one, perhaps from another tab. */
export function add(added: Parcel): OutboxChange {
  return (data) =>
    data.parcels.some(({ order_id: id }) => id === added.order_id)
      ? data
      : { ...data, parcels: [...data.parcels, added] }
}

export function undo(key: string): OutboxChange {
  return (data) => without(data, (each) => each.key === key && each.state === "waiting")
}

/**
 * Undoes a sent parcel, once: an update back to the previous values, compared with what the parcel set, so changes by
 * others stay.
 */
export function undoSent(key: string, newKey: string, now: number): OutboxChange {
  return (data) => {
    const sent = data.parcels.filter(({ state }) => state === "sent")
    const undone = [...sent, ...data.shipped].find((each) => each.key === key)
    if (undone === undefined || undoneOrders(data).has(undone.order_id)) return data
    const { order_id, tracking_number, carrier, subject, expected: before } = undone
    const expected = { status: "shipped", tracking_number, carrier: carrier ?? before.carrier ?? null }
    const fields = { order_id, tracking_number, carrier, subject, expected, undoes: before }
    return { ...data, parcels: [...data.parcels, { ...newParcelState, key: newKey, at: now, ...fields }] }
  }
}

/** Parcels in the outbox and shipped ones, the last scanned first. */
export function scannedParcels({ parcels, shipped }: OutboxData): Parcel[] {
  return [...parcels, ...shipped].toSorted((one, other) => other.at - one.at)
}

/** Orders whose parcel is being undone: their number is about to be removed. */
export function undoneOrders({ parcels }: OutboxData): Set<string> {
  return new Set(parcels.flatMap(({ order_id: id, undoes }) => (undoes === undefined ? [] : [id])))
}

/** Marks a parcel as about to be sent, with the results of the last lookups; it does not change after this. */
export function claim(key: string, carrier: string | null): OutboxChange {
  return change(key, ["waiting"], { carrier, unchecked: [], state: "sent" })
}

export function setRow(key: string, job: string, row: number): OutboxChange {
  return change(key, ["sent"], { job, row })
}

export function raiseQuestion(key: string, question: ParcelQuestion): OutboxChange {
  const isNew = (before: Parcel) => before.state !== "asks" || before.question?.code !== question.code
  return change(key, ["waiting", "sent", "asks"], { state: "asks", question }, isNew)
}

/** Its job continues after a decision, made here or elsewhere. */
export function resume(key: string): OutboxChange {
  return change(key, ["asks"], { state: "sent", question: null })
}

/**
 * Sends the parcel as it is, unless its job had an effect; with a new key, since the content may differ. This settles
 * a duplicate number; the carrier may still have to be looked up.
 */
export function release(key: string, newKey: string): OutboxChange {
  return (data) => {
    const { question, unchecked: all = [] } = data.parcels.find((each) => each.key === key) ?? {}
    const unchecked = question?.code === "number_used" ? all.filter((what) => what !== "number") : []
    const canRelease = ({ job }: Parcel) => job === null || question?.kind === "cancelled"
    return change(key, ["asks"], { ...newParcelState, unchecked, key: newKey }, canRelease)(data)
  }
}

/** Sets a parcel's carrier. Others that lack one are looked up again: the choice may be remembered for them. */
export function setCarrier(key: string, carrier: string): OutboxChange {
  return (data) => ({
    ...data,
    parcels: data.parcels.map((each) => {
      if (each.job !== null || each.question?.code !== "carrier_unknown") return each
      const to = each.key === key ? { carrier } : { unchecked: ["carrier" as const] }
      return { ...each, ...newParcelState, ...to }
    }),
  })
}

/** Its order is confirmed: it moves to the shipped parcels. An undo removes what it undid. */
export function confirm(key: string, now: number): OutboxChange {
  return (data) => {
    const confirmed = data.parcels.find((each) => each.key === key)
    if (confirmed === undefined) return data
    const isUndone = (each: ShippedParcel) =>
      each.order_id === confirmed.order_id && each.tracking_number === confirmed.tracking_number
    const added: ShippedParcel = { ...confirmed, state: "sent", question: null, shipped_at: now }
    const shipped =
      confirmed.undoes === undefined
        ? [added, ...data.shipped]
            .filter(({ shipped_at: at }) => now - at < shippedLimits.for)
            .slice(0, shippedLimits.most)
        : data.shipped.filter((each) => !isUndone(each))
    return { ...without(data, (each) => each === confirmed), shipped }
  }
}

/** Resolved in another way: removed without counting as shipped here. An undo that waits for it has no effect. */
export function drop(key: string): OutboxChange {
  return (data) => {
    const dropped = data.parcels.find((each) => each.key === key && each.state !== "waiting")
    const isItsUndo = ({ undoes, state, order_id }: Parcel) =>
      undoes !== undefined && state === "waiting" && order_id === dropped?.order_id
    return without(data, (each) => each === dropped || isItsUndo(each))
  }
}

function change(
  key: string,
  states: readonly Parcel["state"][],
  to: Partial<Parcel>,
  may = (_before: Parcel) => true,
): OutboxChange {
  return (data) => {
    const at = data.parcels.findIndex((each) => each.key === key && states.includes(each.state) && may(each))
    const before = data.parcels[at]
    return before === undefined ? data : { ...data, parcels: data.parcels.with(at, { ...before, ...to }) }
  }
}

function without(data: OutboxData, leaves: (parcel: Parcel) => boolean): OutboxData {
  const parcels = data.parcels.filter((each) => !leaves(each))
  return parcels.length === data.parcels.length ? data : { ...data, parcels }
}

/** One user's outbox, the same in every tab of this browser; lost with the page unless `durable`. */
export type Outbox = Awaited<ReturnType<typeof openOutbox>>

/**
 * Opens a user's outbox; in memory when the browser has no storage. @throws Error when the stored data cannot be read
 */
export async function openOutbox(userId: string) {
  const store = await openStore(userId)
  const first = await store.read()
  const data = createState(() => first)
  const channel = new BroadcastChannel(`laurel-outbox-${userId}`)
  /** Notifies subscribers only of real changes: each read creates new objects. */
  const take = (read: OutboxData) => {
    if (JSON.stringify(read) !== JSON.stringify(data.getState())) data.setState(read, true)
    return data.getState()
  }
  const refresh = async () => take(await store.read())
  channel.addEventListener("message", () => void refresh())
  return {
    userId,
    durable: store.durable,
    data,
    refresh,
    async change(by: OutboxChange): Promise<OutboxData> {
      const before = data.getState()
      const changed = take(await store.change(by))
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches one origin only
      if (changed !== before) channel.postMessage("changed")
      return changed
    },
    close: () => channel.close(),
  }
}

let database: UseStore | undefined

/** Opens the store of an outbox. Data that cannot be read is neither guessed at nor overwritten. */
async function openStore(userId: string): Promise<ReturnType<typeof memoryStore>> {
  try {
    const opened = (database ??= createStore("laurel-ship-desk", "outbox"))
    await get(userId, opened)
    const parse = (unsent: unknown) => (unsent === undefined ? emptyOutbox : outboxData.parse(unsent))
    return {
      durable: true,
      read: async () => parse(await get<unknown>(userId, opened)),
      // In one transaction, so that two tabs never lose each other's parcels.
      async change(by) {
        let changed = emptyOutbox
        await update<unknown>(userId, (unsent) => (changed = by(parse(unsent))), opened)
        return changed
      },
    }
  } catch {
    database = undefined
    return memoryStore()
  }
}

/** An outbox that is lost with the page: for browsers without storage, and for tests. */
export function memoryStore() {
  let data = emptyOutbox
  return { durable: false, read: async () => data, change: async (by: OutboxChange) => (data = by(data)) }
}
