import { createStore, get, update, type UseStore } from "idb-keyval"
import * as z from "zod/mini"
import { seenOrder } from "../../../../contract/job-rows.ts"
import { externalValue, type ExternalValue } from "../../../lib/external-value.ts"

/** What could not be looked up when a parcel was scanned: who else has its number; whose number it is. */
const uncheckedPart = z.enum(["number", "carrier"])

/**
 * Why a parcel waits for a person. `held`: it was not sent yet; `refused`: the desk's server took no job of it;
 * `cancelled`: its job was, before it was sent; `gone`: its job is not there any more; the rest are its row's state.
 */
const questionSchema = z.object({
  kind: z.enum(["held", "refused", "cancelled", "gone", "failed", "absent", "conflict"]),
  code: z.string(),
  message: z.string(),
})
/** Why a parcel waits for a person. */
export type ParcelQuestion = z.output<typeof questionSchema>

/**
 * A parcel between its second scan and the confirmed change of its order. Ids, a number and a carrier, nothing about
 * people: this is what the browser keeps.
 */
const parcelSchema = z.object({
  /** Idempotency-Key of the job it becomes: made with the scan, so that it is sent once however often it is tried. */
  key: z.string(),
  /** When it was scanned, in ms since the epoch. */
  at: z.number(),
  order_id: z.string(),
  tracking_number: z.string(),
  /** Name as it is written into the order; null: none. */
  carrier: z.nullable(z.string()),
  /** The order as the person saw it. */
  expected: seenOrder,
  unchecked: z.array(uncheckedPart),
  /** `waiting`: not sent, can be undone; `sent`: on its way, however it ends; `asks`: a person is needed. */
  state: z.enum(["waiting", "sent", "asks"]),
  /** The job it became; null: not known to be taken by the desk's server. */
  job: z.nullable(z.string()),
  question: z.nullable(questionSchema),
  /**
   * Set: this is the undo of a parcel that was sent already. The order is set back to these values, compared with what
   * the parcel made of it (docs/decisions/0011-ship-desk.md, Undo and correct).
   */
  undoes: z.optional(seenOrder),
})
/** A parcel in the outbox. */
export type Parcel = z.output<typeof parcelSchema>

/** A parcel whose order was confirmed. */
const shippedSchema = z.object({
  order_id: z.string(),
  tracking_number: z.string(),
  carrier: z.nullable(z.string()),
  /** When it was confirmed, in ms since the epoch. */
  at: z.number(),
  /** The parcel's key, when it was scanned, and the order before it; missing in what older versions kept. */
  key: z.optional(z.string()),
  scanned_at: z.optional(z.number()),
  expected: z.optional(seenOrder),
})
/** A parcel whose order was confirmed. */
export type ShippedParcel = z.output<typeof shippedSchema>

/** What one person's outbox in this browser holds. */
export const outboxData = z.object({
  version: z.literal(1),
  /** In the order they were scanned. */
  parcels: z.array(parcelSchema),
  /** Confirmed ones, the last one first. */
  shipped: z.array(shippedSchema),
})
/** What one person's outbox holds. */
export type OutboxData = z.output<typeof outboxData>

/** An outbox with nothing in it. */
export const emptyOutbox: OutboxData = { version: 1, parcels: [], shipped: [] }

/** Confirmed parcels that are kept to look at, and how long, in ms. */
const shippedKept = { most: 300, for: 24 * 3_600_000 }

/** A change of an outbox; it returns the same outbox when there is nothing to change. */
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
  return (data) => without(data, (parcel) => parcel.key === key && parcel.state === "waiting")
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
    const undoing: Parcel = {
      key: newKey,
      at: now,
      order_id,
      tracking_number,
      carrier,
      expected: { status: "shipped", tracking_number, carrier: carrier ?? before.carrier ?? null },
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
  return change(key, ["waiting"], (parcel) => ({ ...parcel, carrier, unchecked: [], state: "sent" }))
}

/** Laurel's server has taken it. */
export function taken(key: string, job: string): OutboxChange {
  return change(key, ["sent"], (parcel) => ({ ...parcel, job }))
}

/** A person is needed. */
export function ask(key: string, question: ParcelQuestion): OutboxChange {
  return change(key, ["waiting", "sent", "asks"], (parcel) => {
    const same = parcel.state === "asks" && parcel.question?.code === question.code
    return same ? parcel : { ...parcel, state: "asks", question }
  })
}

/** Its job goes on: somebody decided, here or elsewhere. */
export function goOn(key: string): OutboxChange {
  return change(key, ["asks"], (parcel) => ({ ...parcel, state: "sent", question: null }))
}

/**
 * A person says that it is to be sent as it is, or by this carrier. Only while nothing of it was done: it has no job, or
 * one that was cancelled before it was sent. It gets a new key, because what is sent may be another thing than before.
 */
export function release(key: string, newKey: string, carrier?: string): OutboxChange {
  return change(key, ["asks"], (parcel) => {
    if (parcel.job !== null && parcel.question?.kind !== "cancelled") return parcel
    const sentAs = { key: newKey, job: null, carrier: carrier ?? parcel.carrier }
    return { ...parcel, ...sentAs, unchecked: [], state: "waiting", question: null }
  })
}

/** Its order is confirmed: it leaves the outbox. An undo takes what it undid with it. */
export function confirm(key: string, now: number): OutboxChange {
  return (data) => {
    const parcel = data.parcels.find((each) => each.key === key)
    if (parcel === undefined) return data
    const { order_id, tracking_number, carrier, expected, at: scanned_at, undoes } = parcel
    const shipped =
      undoes === undefined
        ? [{ key, order_id, tracking_number, carrier, expected, scanned_at, at: now }, ...data.shipped]
            .filter(({ at }) => now - at < shippedKept.for)
            .slice(0, shippedKept.most)
        : data.shipped.filter(
            (each) => each.order_id !== order_id || each.tracking_number !== tracking_number,
          )
    return { ...without(data, (each) => each === parcel), shipped }
  }
}

/** A person dealt with it otherwise: it leaves the outbox and was not shipped here. */
export function drop(key: string): OutboxChange {
  return (data) => without(data, (parcel) => parcel.key === key && parcel.state !== "waiting")
}

function change(
  key: string,
  states: readonly Parcel["state"][],
  changed: (parcel: Parcel) => Parcel,
): OutboxChange {
  return (data) => {
    const at = data.parcels.findIndex((each) => each.key === key && states.includes(each.state))
    const before = data.parcels[at]
    if (before === undefined) return data
    const after = changed(before)
    return after === before ? data : { ...data, parcels: data.parcels.with(at, after) }
  }
}

function without(data: OutboxData, leaves: (parcel: Parcel) => boolean): OutboxData {
  const parcels = data.parcels.filter((parcel) => !leaves(parcel))
  return parcels.length === data.parcels.length ? data : { ...data, parcels }
}

/** Where one person's outbox is kept. */
interface OutboxStore {
  /** False: it lasts as long as the page. */
  readonly durable: boolean
  /** @throws Error when what is kept cannot be read: nothing of it is ever guessed at or written over */
  read(): Promise<OutboxData>
  /** Changes it in one transaction, so that two tabs never lose each other's parcels. @throws as `read` */
  change(change: OutboxChange): Promise<OutboxData>
}

/** One person's outbox, the same in every tab of this browser. */
export interface Outbox extends Omit<OutboxStore, "read"> {
  readonly userId: string
  readonly data: ExternalValue<OutboxData>
  /** Reads what other tabs made of it. */
  refresh(): Promise<OutboxData>
  close(): void
}

/** Opens the outbox of a person; in memory where the browser keeps nothing. @throws Error when what it kept cannot be read */
export async function openOutbox(userId: string): Promise<Outbox> {
  const store = await openStore(userId)
  const data = externalValue(await store.read())
  const channel = new BroadcastChannel(`laurel-outbox-${userId}`)
  /** Notifies followers only when something differs: each read makes new objects. */
  const take = (read: OutboxData) => {
    if (JSON.stringify(read) !== JSON.stringify(data.get())) data.set(read)
    return data.get()
  }
  const refresh = async () => take(await store.read())
  channel.addEventListener("message", () => void refresh())
  return {
    userId,
    durable: store.durable,
    data,
    refresh,
    async change(change) {
      const before = data.get()
      const changed = take(await store.change(change))
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches one origin only
      if (changed !== before) channel.postMessage("changed")
      return changed
    },
    close: () => channel.close(),
  }
}

let database: UseStore | undefined

async function openStore(userId: string): Promise<OutboxStore> {
  try {
    database ??= createStore("laurel-ship-desk", "outbox")
    await get(userId, database)
    return browserStore(userId, database)
  } catch {
    database = undefined
    return memoryStore()
  }
}

function parse(kept: unknown): OutboxData {
  return kept === undefined ? emptyOutbox : outboxData.parse(kept)
}

function browserStore(userId: string, store: UseStore): OutboxStore {
  return {
    durable: true,
    read: async () => parse(await get<unknown>(userId, store)),
    async change(change) {
      let changed = emptyOutbox
      await update<unknown>(userId, (kept) => (changed = change(parse(kept))), store)
      return changed
    },
  }
}

/** An outbox that goes with the page: where the browser keeps nothing, and for tests. */
export function memoryStore(): OutboxStore {
  let data = emptyOutbox
  return {
    durable: false,
    read: async () => data,
    change: async (change) => (data = change(data)),
  }
}
