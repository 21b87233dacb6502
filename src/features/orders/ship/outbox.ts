import { numberShape, plainNumber, tellsCarrier } from "../../../../contract/orders.ts"
import { createStore, get, update, type UseStore } from "idb-keyval"
import * as z from "zod/mini"
import { type SeenOrder, seenOrder } from "../../../../contract/job-rows.ts"
import { externalValue } from "../../../lib/external-value.ts"
import { isSameDay } from "../../../lib/time.ts"

/**
 * Why a parcel waits for a person. `held`: it was not sent yet; `refused`: Laurel's server took no job of it;
 * `cancelled`: its job was, before it was sent; `gone`: its job is not there any more; the rest are its row's state.
 */
const parcelQuestion = z.object({
  kind: z.enum(["held", "refused", "cancelled", "gone", "failed", "absent", "conflict"]),
  code: z.string(),
  message: z.string(),
  /** The order as it is now, where it changed before the parcel was sent: who sends it anyway means this one. */
  seen: z.optional(seenOrder),
})
export type ParcelQuestion = z.output<typeof parcelQuestion>

/** What an order is, and for whom: a member's id, never a name. */
export const orderSubject = z.object({ reward: z.string(), member: z.nullable(z.string()) })

const scanned = z.object({
  order_id: z.string(),
  tracking_number: z.string(),
  /** Name as it is written into the order; null: none. */
  carrier: z.nullable(z.string()),
  subject: z.optional(orderSubject),
})

/** A parcel between its second scan and the confirmed change of its order. Of people only a member's id: the browser keeps it. */
const parcel = z.extend(scanned, {
  /** Idempotency-Key of the job it becomes: made with the scan, so that it is sent once however often it is tried. */
  key: z.string(),
  /** The sitting it was scanned in, whose jobs read as one; missing in what older versions kept. */
  sitting: z.optional(z.string()),
  /** When it was scanned, in ms since the epoch. */
  at: z.number(),
  expected: seenOrder,
  /** What could not be looked up at the scan: who else has its number; whose number it is. */
  unchecked: z.array(z.enum(["number", "carrier"])),
  /** `waiting`: not sent, can be undone; `sent`: on its way, however it ends; `asks`: a person is needed. */
  state: z.enum(["waiting", "sent", "asks"]),
  /** The job it became; null: not known to be taken by Laurel's server. */
  job: z.nullable(z.string()),
  question: z.nullable(parcelQuestion),
  /** Set in the undo of a parcel that was sent: the values before (docs/ship-desk.md, Undo and correct). */
  undoes: z.optional(seenOrder),
})
export type Parcel = z.output<typeof parcel>

const shippedParcel = z.extend(scanned, {
  /** When it was confirmed, in ms since the epoch. */
  at: z.number(),
  // Of the parcel, when it was scanned; missing in what older versions kept.
  key: z.optional(z.string()),
  scanned_at: z.optional(z.number()),
  expected: z.optional(seenOrder),
})
export type ShippedParcel = z.output<typeof shippedParcel>

/** What one person's outbox in this browser holds: parcels in the order of their scans, shipped ones the last first. */
export const outboxData = z.object({
  version: z.literal(1),
  /** The sitting of the last parcel: the key of its first one, and when the last one was scanned, in ms since the epoch. */
  sitting: z.optional(z.object({ id: z.string(), at: z.number() })),
  parcels: z.array(parcel),
  shipped: z.array(shippedParcel),
})
export type OutboxData = z.output<typeof outboxData>

export const emptyOutbox: OutboxData = { version: 1, parcels: [], shipped: [] }

/** Confirmed parcels that are kept to look at, and how long, in ms. */
const shippedLimits = { most: 300, for: 24 * 3_600_000 }

/** How a parcel stands when it was just scanned. */
export const newParcelState = {
  unchecked: [],
  state: "waiting",
  job: null,
  question: null,
} satisfies Partial<Parcel>

/** A change of an outbox; it returns the same outbox when there is nothing to change. */
export type OutboxChange = (data: OutboxData) => OutboxData

/** A parcel was scanned: it stands last. Nothing changes while its order has one here, from another tab perhaps. */
export function add(added: Parcel): OutboxChange {
  return (data) =>
    data.parcels.some(({ order_id: id }) => id === added.order_id) ? data : withParcel(data, added)
}

/** A sitting ends after so long without a parcel, in ms, and with the day. */
const sittingTimeout = 3_600_000

/** Puts a parcel last, in the sitting that goes on or in one that begins with it. */
function withParcel(data: OutboxData, added: Parcel): OutboxData {
  const { sitting: before, parcels } = data
  const { key, at } = added
  const goesOn = before !== undefined && Math.abs(at - before.at) < sittingTimeout && isSameDay(at, before.at)
  const id = goesOn ? before.id : key
  return { ...data, sitting: { id, at }, parcels: [...parcels, { ...added, sitting: id }] }
}

export function undo(key: string): OutboxChange {
  return (data) => without(data, (each) => each.key === key && each.state === "waiting")
}

/** Undoes a sent parcel, once: an update sets the order back, compared with what the parcel set, so others' changes stay. */
export function undoSent(key: string, newKey: string, now: number): OutboxChange {
  return (data) => {
    const sent = data.parcels.find((each) => each.key === key && each.state === "sent")
    const undone = sent ?? data.shipped.find((each) => each.key === key)
    const before = undone?.expected
    if (undone === undefined || before === undefined || sent?.undoes !== undefined) return data
    const { order_id, tracking_number, carrier, subject } = undone
    if (undoneOrders(data).has(order_id)) return data
    const expected = { status: "shipped", tracking_number, carrier: carrier ?? before.carrier ?? null }
    const fields = {
      key: newKey,
      at: now,
      order_id,
      tracking_number,
      carrier,
      expected,
      undoes: before,
      subject,
    }
    return withParcel(data, { ...newParcelState, ...fields })
  }
}

/** Orders whose parcel is being undone: what they were given is on its way out. */
export function undoneOrders({ parcels }: OutboxData): Set<string> {
  return new Set(parcels.flatMap(({ order_id: id, undoes }) => (undoes === undefined ? [] : [id])))
}

/** A parcel is about to be sent, with what was found out before; from here on nothing in it changes. */
export function claim(key: string, carrier: string | null): OutboxChange {
  return change(key, ["waiting"], { carrier, unchecked: [], state: "sent" })
}

export function setJob(key: string, job: string): OutboxChange {
  return change(key, ["sent"], { job })
}

export function raiseQuestion(key: string, question: ParcelQuestion): OutboxChange {
  const isNew = (before: Parcel) => before.state !== "asks" || before.question?.code !== question.code
  return change(key, ["waiting", "sent", "asks"], { state: "asks", question }, isNew)
}

/** Its order was read again and is another than at the scan. Once it was sent, its job compares. */
export function changeUnsent(known: SeenOrder & { readonly id: string }, to: Partial<Parcel>): OutboxChange {
  const isOf = ({ order_id, undoes, expected }: Parcel) =>
    order_id === known.id &&
    undoes === undefined &&
    expected.status === known.status &&
    expected.tracking_number === known.tracking_number
  return (data) => {
    const kept = data.parcels.find(isOf)
    return kept === undefined ? data : change(kept.key, ["waiting"], to)(data)
  }
}

/** Its job goes on: somebody decided, here or elsewhere. */
export function resume(key: string): OutboxChange {
  return change(key, ["asks"], { state: "sent", question: null })
}

/**
 * It is to be sent as it is, if nothing of it was done yet; under a new key: it may be another thing now. A number that
 * another order has is settled by that; whose it is may still have to be looked up.
 */
export function release(key: string, newKey: string): OutboxChange {
  return (data) => {
    const asked = data.parcels.find((each) => each.key === key)
    if (asked === undefined) return data
    const { expected, question, unchecked: all } = asked
    const { code, seen = expected } = question ?? {}
    const rest = all.filter((what) => what !== "number")
    const unchecked = code === "order_changed" ? all : code === "number_used" ? rest : []
    const to = { ...newParcelState, unchecked, expected: seen, key: newKey }
    return change(key, ["asks"], to, canRelease)(data)
  }
}

const canRelease = ({ job, question }: Parcel) => job === null || question?.kind === "cancelled"

/** Whose a number is was said: all parcels that ask it about numbers like this one are to be sent by that carrier. */
export function setCarrier(number: string, carrier: string, nextKey: () => string): OutboxChange {
  return (data) => {
    const asking = new Set(parcelsAwaitingCarrier(data, number))
    if (asking.size === 0) return data
    const parcels = data.parcels.map((each) =>
      asking.has(each) ? { ...each, ...newParcelState, key: nextKey(), carrier } : each,
    )
    return { ...data, parcels }
  }
}

/** Parcels that wait for somebody to say whose numbers like this one are. */
export function parcelsAwaitingCarrier({ parcels }: OutboxData, number: string): Parcel[] {
  const asks = ({ question, job }: Parcel) => job === null && question?.code === "carrier_unknown"
  const isAlike = (other: string) =>
    plainNumber(other) === plainNumber(number) ||
    (tellsCarrier(other) && tellsCarrier(number) && numberShape(other) === numberShape(number))
  return parcels.filter((each) => asks(each) && isAlike(each.tracking_number))
}

/** Its order is confirmed: it leaves the outbox. An undo takes what it undid with it. */
export function confirm(key: string, now: number): OutboxChange {
  return (data) => {
    const confirmed = data.parcels.find((each) => each.key === key)
    if (confirmed === undefined) return data
    const { order_id, tracking_number, carrier, expected, at: scanned_at, undoes, subject } = confirmed
    const isSame = (each: ShippedParcel) =>
      each.order_id === order_id && each.tracking_number === tracking_number
    const added = { key, order_id, tracking_number, carrier, expected, scanned_at, at: now, subject }
    const shipped =
      undoes === undefined
        ? [added, ...data.shipped]
            .filter(({ at }) => now - at < shippedLimits.for)
            .slice(0, shippedLimits.most)
        : data.shipped.filter((each) => !isSame(each))
    return { ...without(data, (each) => each === confirmed), shipped }
  }
}

/** A person dealt with it otherwise: it leaves the outbox and was not shipped here. */
export function drop(key: string): OutboxChange {
  return (data) => without(data, (each) => each.key === key && each.state !== "waiting")
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

/** One person's outbox, the same in every tab of this browser; unless `durable` it lasts as long as the page. */
export type Outbox = Awaited<ReturnType<typeof openOutbox>>

/** Opens the outbox of a person; in memory where the browser keeps nothing. @throws Error when what it kept cannot be read */
export async function openOutbox(userId: string) {
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
    async change(by: OutboxChange): Promise<OutboxData> {
      const before = data.get()
      const changed = take(await store.change(by))
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches one origin only
      if (changed !== before) channel.postMessage("changed")
      return changed
    },
    close: () => channel.close(),
  }
}

let database: UseStore | undefined

/** Where an outbox is kept: what cannot be read is never guessed at or written over. */
async function openStore(userId: string): Promise<ReturnType<typeof memoryStore>> {
  try {
    const opened = (database ??= createStore("laurel-ship-desk", "outbox"))
    await get(userId, opened)
    const parse = (kept: unknown) => (kept === undefined ? emptyOutbox : outboxData.parse(kept))
    return {
      durable: true,
      read: async () => parse(await get<unknown>(userId, opened)),
      // In one transaction, so that two tabs never lose each other's parcels.
      async change(by) {
        let changed = emptyOutbox
        await update<unknown>(userId, (kept) => (changed = by(parse(kept))), opened)
        return changed
      },
    }
  } catch {
    database = undefined
    return memoryStore()
  }
}

/** An outbox that goes with the page: where the browser keeps nothing, and for tests. */
export function memoryStore() {
  let data = emptyOutbox
  return { durable: false, read: async () => data, change: async (by: OutboxChange) => (data = by(data)) }
}
