import type { JobRow } from "../../../../contract/job-rows.ts"
import { type Job, pauseCodes } from "../../../../contract/job.ts"
import { ApiError } from "../../../lib/errors.ts"
import { externalValue } from "../../../lib/external-value.ts"
import * as change from "./outbox.ts"
import type { Outbox, Parcel, ParcelQuestion } from "./outbox.ts"
import type { Connection, ParcelCalls } from "./parcel-calls.ts"

/** How long the last parcel is held, so that an undo costs nothing, in ms. The next one releases it. */
export const holdMs = 5000
/** Maximum number of parcels in flight: few enough that none waits a minute. */
const mostInFlight = 3
/** Interval between lookups of parcels that need a person, in ms. */
const askingEvery = 10_000
/** Minimum time between two turns while parcels are held, in ms. */
const shortestHold = 700
/** Delay between retries without a response, in ms: doubles each time. */
const tryEvery = { first: 1000, most: 15_000 }
/** Interval of connection checks while the server is unreachable, in ms: one small request, none to a service. */
const reachEvery = 1500

/** Why nothing is sent, and until when in ms since the epoch; `stopped`: a job is stopped, and later parcels wait. */
type SenderState = Readonly<
  | { type: "working" | "signed-out" }
  | { type: "waits"; until: number }
  | { type: "stopped"; job: string; message: string }
>

/** Sends an outbox. One tab at a time takes turns; if two do, each parcel's key keeps its effect single. */
export function createSender(ports: {
  outbox: Outbox
  calls: ParcelCalls
  connection: Connection
  /** Time until the next lookup of the jobs in flight, in ms. */
  nextLookup: () => number
  now: () => number
}) {
  const { outbox, calls, connection, nextLookup, now } = ports
  const state = externalValue<SenderState>({ type: "working" })
  let failures = 0

  async function work(): Promise<number> {
    const { parcels } = await outbox.refresh()
    let stopped = false
    // A lost connection is checked even with an empty outbox, so that its return is noticed.
    if (parcels.length > 0 || connection.lostAt.get() !== null) await calls.reach()
    // First the parcels whose request got no response: the same key finds their job.
    for (const parcel of parcels) if (parcel.state === "sent" && parcel.job === null) await make(parcel)
    for (const parcel of parcels) stopped = (await follow(parcel)) || stopped
    if (!stopped) {
      state.set({ type: "working" })
      while (inFlight() < mostInFlight && (await sendNext()));
    }
    return nextTurn()
  }

  async function make(parcel: Parcel): Promise<void> {
    try {
      const { id } = await calls.make(parcel)
      await outbox.change(change.setJob(parcel.key, id))
    } catch (error) {
      if (!isRefusal(error)) throw error
      const { code, message } = error
      await outbox.change(change.raiseQuestion(parcel.key, { kind: "refused", code, message }))
    }
  }

  /** Follows one parcel's job; returns whether later parcels have to wait for it. */
  async function follow({ key, job: id, state: before }: Parcel): Promise<boolean> {
    if (id === null) return false
    const progress = await parcelProgress(id)
    if (progress.type === "confirmed") await outbox.change(change.confirm(key, now()))
    else if (progress.type === "dealt-with") await outbox.change(change.drop(key))
    else if (progress.type === "asks") await outbox.change(change.raiseQuestion(key, progress.question))
    else {
      // The user asked for it to be sent, and `expected` guards against changes since.
      if (progress.type === "late") await calls.resume(id)
      if (progress.type === "stopped") state.set({ ...progress, job: id })
      if (before === "asks") await outbox.change(change.resume(key))
    }
    return progress.type === "stopped"
  }

  async function parcelProgress(id: string): Promise<ParcelProgress> {
    try {
      const { job, row } = await calls.lookUp(id)
      return readRow(job, row)
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error
      return asks("gone", "job_gone", "Laurel no longer has the job for this parcel. Check the order itself.")
    }
  }

  /** Sends the next parcel that is due; returns whether there was one. */
  async function sendNext(): Promise<boolean> {
    const { parcels } = outbox.data.get()
    const next = sendable(parcels).find((parcel) => holdFor(parcel, parcels) === 0)
    if (next === undefined) return false
    const checked = await lookUpRest(next, calls)
    if (typeof checked === "object" && checked !== null) {
      await outbox.change(change.raiseQuestion(next.key, checked.question))
      return true
    }
    const data = await outbox.change(change.claim(next.key, checked))
    const claimed = data.parcels.find(({ key }) => key === next.key)
    // It may have been undone meanwhile.
    if (claimed?.state === "sent") await make(claimed)
    return true
  }

  /** Remaining time a parcel is held, in ms: the last one is held so that it can be undone before sending. */
  function holdFor({ key, at }: Parcel, parcels: readonly Parcel[]): number {
    const last = parcels.findLast(({ undoes }) => undoes === undefined)
    return last?.key === key ? Math.max(0, at + holdMs - now()) : 0
  }

  const inFlight = () => outbox.data.get().parcels.filter((each) => each.state === "sent").length

  function nextTurn(): number {
    const { parcels } = outbox.data.get()
    const holds = sendable(parcels).map((each) => holdFor(each, parcels))
    const hold = holds.length > 0 ? Math.max(shortestHold, Math.min(...holds)) : Infinity
    // With `mostInFlight` parcels in flight, the next one waits until one of them has ended.
    if (inFlight() > 0) return Math.min(nextLookup(), inFlight() < mostInFlight ? hold : Infinity)
    return holds.length > 0 ? hold : parcels.length > 0 ? askingEvery : Infinity
  }

  return {
    state,
    /** Does what can be done now; returns the delay until the next turn, in ms. */
    async turn(): Promise<number> {
      try {
        const wait = await work()
        failures = 0
        connection.found()
        return wait
      } catch (error) {
        if (error instanceof ApiError && error.code === "session_required") {
          state.set({ type: "signed-out" })
          return Infinity
        }
        failures += 1
        const backOff = Math.min(tryEvery.most, tryEvery.first * 2 ** (failures - 1))
        if (!(error instanceof ApiError)) {
          connection.lost()
          return Math.min(backOff, reachEvery)
        }
        connection.found()
        const wait = Math.max(backOff, (error.retryAfter ?? 0) * 1000)
        state.set({ type: "waits", until: now() + wait })
        return wait
      }
    },
  }
}

/** What may be sent, in order. An undo waits until the parcel that it undoes has left the outbox. */
function sendable(parcels: readonly Parcel[]): Parcel[] {
  return parcels.filter(
    ({ state, order_id: id }, at) =>
      state === "waiting" && !parcels.slice(0, at).some(({ order_id: earlier }) => earlier === id),
  )
}

/** Whether the server refused for good: nothing was created, and a retry would be refused too. */
function isRefusal(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false
  return error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status)
}

// Repeats the lookups that failed at the scan. Returns the carrier, or the question for a person.
async function lookUpRest(
  { unchecked, tracking_number: number, order_id, carrier }: Parcel,
  calls: ParcelCalls,
): Promise<string | null | Asks> {
  const other = unchecked.includes("number") ? await calls.used(number, order_id) : undefined
  if (other !== undefined) {
    const message = `${other} has this number already. That could not be looked up when it was scanned.`
    return asks("held", "number_used", message)
  }
  if (!unchecked.includes("carrier") || carrier !== null) return carrier
  return (
    (await calls.carrierOf(number)) ??
    asks("held", "carrier_unknown", "The number alone doesn’t say which carrier it is.")
  )
}

type Asks = ReturnType<typeof asks>

function asks(kind: ParcelQuestion["kind"], code: string, message: string) {
  return { type: "asks", question: { kind, code, message } } as const
}

// `late`: it was not sent within a minute and needs a confirmation; `stopped`: its job is stopped for a reason that
// affects every other parcel; `dealt-with`: a person resolved it on the job's page.
type ParcelProgress = Readonly<
  { type: "under-way" | "late" | "confirmed" | "dealt-with" } | { type: "stopped"; message: string } | Asks
>

/** Reads a parcel's progress from its job (docs/jobs.md, Row states). */
export function readRow({ state, pause }: Job, row: JobRow | undefined): ParcelProgress {
  if (row?.state === "confirmed") return { type: "confirmed" }
  if (row?.state === "failed" || row?.state === "absent" || row?.state === "conflict") {
    const { decision, outcome } = row
    if (decision?.decision === "happened") return { type: "confirmed" }
    if (decision?.decision === "leave") return { type: "dealt-with" }
    return asks(row.state, outcome?.code ?? row.state, outcome?.message ?? "Decision needed.")
  }
  if (row?.state !== "planned") return { type: "under-way" }
  const message = "Its job was cancelled before it was sent. Nothing was changed."
  if (state === "cancelled" || state === "cancelling") return asks("cancelled", "cancelled", message)
  if (state !== "paused") return { type: "under-way" }
  if (pause?.code === pauseCodes.notSentInTime) return { type: "late" }
  return { type: "stopped", message: pause?.message ?? "Its job is paused." }
}
