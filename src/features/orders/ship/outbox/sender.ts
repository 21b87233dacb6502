import { ApiError } from "../../../../api/errors.ts"
import { externalValue, type ExternalValue } from "../../../../lib/external-value.ts"
import type { Connection } from "./connection.ts"
import type { Outbox } from "./outbox.ts"
import { ask, claim, confirm, drop, goOn, taken } from "./outbox-changes.ts"
import type { ParcelCalls } from "./parcel-calls.ts"
import type { Parcel } from "./parcel.ts"
import { readRow, type RowNews } from "./read-row.ts"
import { settleUnchecked } from "./unchecked.ts"

/** How long the last parcel stays here, where an undo costs nothing, in ms. The next one lets it go at once. */
export const holdMs = 5000
/** Parcels under way at once: few enough that none of them waits for its turn for a minute. */
const underWay = 3
/** Between two looks at parcels that are under way, and at those that ask, in ms. */
const lookEvery = 700
const askedEvery = 10_000
/** Between two tries while no answer comes, in ms: twice as long each time. */
const tryEvery = { first: 1000, most: 15_000 }

/** What the sender is at. */
export type SenderState =
  | { readonly type: "working" }
  /** The server asked to wait until then, in ms since the epoch. */
  | { readonly type: "waits"; readonly until: number }
  /** A job stands still; nothing more is sent until it goes on. */
  | { readonly type: "stopped"; readonly job: string; readonly message: string }
  /** Nobody is signed in any more. */
  | { readonly type: "signed-out" }

/** Sends one person's outbox, in order. */
export interface Sender {
  readonly state: ExternalValue<SenderState>
  /** Does what can be done now; answers in how many ms there may be more. @throws Error when somebody else is signed in */
  turn(): Promise<number>
}

interface SenderPorts {
  readonly outbox: Outbox
  readonly calls: ParcelCalls
  readonly connection: Connection
  /** ms since the epoch. */
  readonly now: () => number
}

/** Makes one. One tab at a time takes turns; should two of them, the key of each parcel still makes it one effect. */
export function createSender({ outbox, calls, connection, now }: SenderPorts): Sender {
  const state = externalValue<SenderState>({ type: "working" })
  let failures = 0

  /** Follows one parcel's job; answers whether others have to wait because of it. */
  async function follow({ key, job: id, state: before }: Parcel): Promise<boolean> {
    if (id === null) return false
    const news = await newsOf(id)
    switch (news.type) {
      case "confirmed":
        await outbox.change(confirm(key, now()))
        return false
      case "dealt-with":
        await outbox.change(drop(key))
        return false
      case "asks":
        await outbox.change(ask(key, news.question))
        return false
      case "late":
        // The outbox is asked to send whenever it can, and `expected` guards what changed meanwhile.
        await calls.resume(id)
        break
      case "stopped":
        state.set({ type: "stopped", job: id, message: news.message })
        break
      default:
    }
    if (before === "asks") await outbox.change(goOn(key))
    return news.type === "stopped"
  }

  async function newsOf(id: string): Promise<RowNews> {
    try {
      const { job, row } = await calls.look(id)
      return readRow(job, row)
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error
      const message = "Laurel no longer has the job for this parcel. Check the order itself."
      return { type: "asks", question: { kind: "gone", code: "job_gone", message } }
    }
  }

  async function make(parcel: Parcel): Promise<void> {
    try {
      const made = await calls.make(parcel)
      await outbox.change(taken(parcel.key, made.id))
    } catch (error) {
      if (!isRefusal(error)) throw error
      await outbox.change(ask(parcel.key, { kind: "refused", code: error.code, message: error.message }))
    }
  }

  /** Sends the next one that may go; answers whether there was one. */
  async function sendNext(): Promise<boolean> {
    const { parcels } = outbox.data.get()
    const next = openIn(parcels).find((parcel) => holdFor(parcel, parcels) === 0)
    if (next === undefined) return false
    if ((await calls.whoami()) !== outbox.userId) throw new SomebodyElse("Someone else is signed in.")
    const settled = await settleUnchecked(next, calls)
    if (settled.question !== undefined) {
      await outbox.change(ask(next.key, settled.question))
      return true
    }
    const data = await outbox.change(claim(next.key, settled.carrier))
    const claimed = data.parcels.find(({ key }) => key === next.key)
    // It may have been undone meanwhile.
    if (claimed?.state === "sent") await make(claimed)
    return true
  }

  /** How long a parcel still stays here, in ms: the last one so long that it can be undone before it is sent. */
  function holdFor({ key, at }: Parcel, parcels: readonly Parcel[]): number {
    const last = parcels.findLast(({ undoes }) => undoes === undefined)
    return last?.key === key ? Math.max(0, at + holdMs - now()) : 0
  }

  async function work(): Promise<number> {
    const { parcels } = await outbox.refresh()
    let stopped = false
    // While it is lost somebody has to find out that it is back, whether there is something to send or not.
    if (connection.lostAt.get() !== null) await calls.whoami()
    // First of all what may or may not have been taken: the same key finds out.
    for (const parcel of parcels.filter(({ state, job }) => state === "sent" && job === null))
      await make(parcel)
    for (const parcel of parcels) {
      stopped = (await follow(parcel)) || stopped
    }
    if (!stopped) {
      state.set({ type: "working" })
      while (count("sent") < underWay && (await sendNext()));
    }
    return nextTurn()
  }

  function count(of: Parcel["state"]): number {
    return outbox.data.get().parcels.filter(({ state: each }) => each === of).length
  }

  function nextTurn(): number {
    const { parcels } = outbox.data.get()
    if (count("sent") > 0) return lookEvery
    const open = openIn(parcels)
    if (open.length > 0) return Math.max(lookEvery, Math.min(...open.map((each) => holdFor(each, parcels))))
    return parcels.length > 0 ? askedEvery : Infinity
  }

  return {
    state,
    async turn() {
      try {
        const wait = await work()
        failures = 0
        connection.found()
        return wait
      } catch (error) {
        if (error instanceof SomebodyElse) throw error
        if (error instanceof ApiError && error.code === "session_required") {
          state.set({ type: "signed-out" })
          return Infinity
        }
        failures += 1
        const backOff = Math.min(tryEvery.most, tryEvery.first * 2 ** (failures - 1))
        if (!(error instanceof ApiError)) {
          connection.lost()
          return backOff
        }
        connection.found()
        const wait = Math.max(backOff, (error.retryAfter ?? 0) * 1000)
        state.set({ type: "waits", until: now() + wait })
        return wait
      }
    },
  }
}

/** What may be sent, in order. An undo waits for the parcel that it undoes: until that one has left the outbox. */
function openIn(parcels: readonly Parcel[]): Parcel[] {
  return parcels.filter(
    ({ state: each, order_id: id }, at) =>
      each === "waiting" && !parcels.slice(0, at).some(({ order_id: earlier }) => earlier === id),
  )
}

/** Somebody else is signed in now: what this person scanned is not sent in their name. */
class SomebodyElse extends Error {}

/** Whether the server said no for good, so that nothing was made and trying again would say the same. */
function isRefusal(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false
  return error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status)
}
