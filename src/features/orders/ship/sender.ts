import { createStore } from "zustand"
import type { JobRow } from "../../../../contract/job-rows.ts"
import type { Job } from "../../../../contract/job.ts"
import { ApiError } from "../../../lib/errors.ts"
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
/** Delay after an error of the server, in ms, unless it names one. */
const retryAfterError = 5000
/** Interval of connection checks while the server is unreachable, in ms: one small request, none to a service. */
const reachEvery = 1500

/** Why nothing is sent; `stopped`: a job is paused, and later parcels wait. */
type SenderState = Readonly<
  { type: "working" | "signed-out" | "waits" } | { type: "stopped"; job: string; message: string }
>

interface SenderPorts {
  readonly outbox: Outbox
  readonly calls: ParcelCalls
  readonly connection: Connection
  /** Time until the next lookup of the rows in flight, in ms. */
  readonly nextLookup: () => number
  readonly now: () => number
}

/** Sends an outbox. One tab at a time takes turns; if two do, each parcel's key keeps its effect single. */
export function createSender(ports: SenderPorts) {
  const { connection } = ports
  const state = createStore<SenderState>(() => ({ type: "working" }))
  return {
    state,
    /** Does what can be done now; returns the delay until the next turn, in ms. */
    async turn(): Promise<number> {
      try {
        const stopped = await followParcels(ports)
        state.setState(stopped ?? { type: "working" }, true)
        if (stopped === undefined) while (inFlight(ports.outbox) < mostInFlight && (await sendNext(ports)));
        connection.found()
        return nextTurn(ports)
      } catch (error) {
        if (!(error instanceof ApiError)) {
          connection.lost()
          return reachEvery
        }
        connection.found()
        const isSignedOut = error.code === "session_required"
        state.setState({ type: isSignedOut ? "signed-out" : "waits" }, true)
        return isSignedOut ? Infinity : Math.max(retryAfterError, (error.retryAfter ?? 0) * 1000)
      }
    },
  }
}

/** Follows the parcels that were sent; returns the paused job that later parcels wait for. */
async function followParcels(ports: SenderPorts) {
  const { outbox, calls, connection, now } = ports
  const { parcels } = await outbox.refresh()
  // A lost connection is checked even with an empty outbox, so that its return is noticed.
  if (parcels.length > 0 || connection.lostAt.getState() !== null) await calls.reach()
  // First the parcels whose request got no response: the same key finds their row.
  for (const parcel of parcels) if (parcel.state === "sent" && parcel.job === null) await add(parcel, ports)
  let stopped: Extract<SenderState, { type: "stopped" }> | undefined
  // Parcels share the user's open job: it is read once per turn.
  const jobs = new Map<string, Promise<Job>>()
  for (const { key, job: id, row = 1, state } of parcels) {
    if (id === null) continue
    const job = jobs.get(id) ?? calls.job(id)
    jobs.set(id, job)
    const progress = await parcelProgress(job, calls.row(id, row))
    if (progress.type === "confirmed") await outbox.change(change.confirm(key, now()))
    else if (progress.type === "dealt-with") await outbox.change(change.drop(key))
    else if (progress.type === "asks") await outbox.change(change.raiseQuestion(key, progress.question))
    else if (state === "asks") await outbox.change(change.resume(key))
    if (progress.type === "stopped") stopped = { ...progress, job: id }
  }
  return stopped
}

async function add(parcel: Parcel, { outbox, calls }: SenderPorts): Promise<void> {
  try {
    const { id, row } = await calls.add(parcel)
    await outbox.change(change.setRow(parcel.key, id, row))
  } catch (error) {
    if (!isRefusal(error)) throw error
    const { code, message } = error
    await outbox.change(change.raiseQuestion(parcel.key, { kind: "refused", code, message }))
  }
}

async function parcelProgress(job: Promise<Job>, row: Promise<JobRow>): Promise<ParcelProgress> {
  try {
    return readRow(...(await Promise.all([job, row])))
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error
    return asks("gone", "job_gone", "Laurel no longer has the job for this parcel. Check the order itself.")
  }
}

/** Sends the next parcel that is due; returns whether there was one. */
async function sendNext(ports: SenderPorts): Promise<boolean> {
  const { outbox, calls, now } = ports
  const { parcels } = outbox.data.getState()
  const next = sendable(parcels).find((parcel) => holdFor(parcel, parcels, now()) === 0)
  if (next === undefined) return false
  const checked = await lookUpRest(next, calls)
  if (typeof checked === "object" && checked !== null) {
    await outbox.change(change.raiseQuestion(next.key, checked.question))
    return true
  }
  const data = await outbox.change(change.claim(next.key, checked))
  const claimed = data.parcels.find(({ key }) => key === next.key)
  // It may have been undone meanwhile.
  if (claimed?.state === "sent") await add(claimed, ports)
  return true
}

/** Remaining time a parcel is held, in ms: the last one is held so that it can be undone before sending. */
function holdFor({ key, at }: Parcel, parcels: readonly Parcel[], now: number): number {
  const last = parcels.findLast(({ undoes }) => undoes === undefined)
  return last?.key === key ? Math.max(0, at + holdMs - now) : 0
}

const inFlight = (outbox: Outbox) =>
  outbox.data.getState().parcels.filter(({ state }) => state === "sent").length

function nextTurn({ outbox, nextLookup, now }: SenderPorts): number {
  const { parcels } = outbox.data.getState()
  const holds = sendable(parcels).map((each) => holdFor(each, parcels, now()))
  const hold = holds.length > 0 ? Math.max(shortestHold, Math.min(...holds)) : Infinity
  // With `mostInFlight` parcels in flight, the next one waits until one of them has ended.
  const sent = inFlight(outbox)
  if (sent > 0) return Math.min(nextLookup(), sent < mostInFlight ? hold : Infinity)
  return holds.length > 0 ? hold : parcels.length > 0 ? askingEvery : Infinity
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

// `stopped`: its job is paused, which affects every other parcel; `dealt-with`: a person resolved it on the job's page.
type ParcelProgress = Readonly<
  { type: "under-way" | "confirmed" | "dealt-with" } | { type: "stopped"; message: string } | Asks
>

/** Reads a parcel's progress from its row and job (docs/jobs.md, Row states). */
export function readRow(job: Pick<Job, "state" | "pause">, row: JobRow): ParcelProgress {
  const { state, decision, outcome } = row
  if (state === "confirmed") return { type: "confirmed" }
  if (state === "excluded") return { type: "dealt-with" }
  if (state === "failed" || state === "absent" || state === "conflict") {
    if (decision?.decision === "happened") return { type: "confirmed" }
    if (decision?.decision === "leave") return { type: "dealt-with" }
    return asks(state, outcome?.code ?? state, outcome?.message ?? "Decision needed.")
  }
  if (state !== "planned") return { type: "under-way" }
  if (job.state === "cancelled" || job.state === "cancelling")
    return asks("cancelled", "cancelled", "Its job was cancelled before it was sent. Nothing was changed.")
  if (job.state === "paused") return { type: "stopped", message: job.pause?.message ?? "Its job is paused." }
  return { type: "under-way" }
}
