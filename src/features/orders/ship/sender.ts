import * as z from "zod/mini"
import { carrierSettings, recognised } from "../../../../contract/carriers.ts"
import {
  type DecisionBody,
  jobRow,
  type JobRow,
  type OrderUpdateRow,
  type SeenOrder,
} from "../../../../contract/job-rows.ts"
import { type CreateJobBody, job, type Job, pauseCodes } from "../../../../contract/job.ts"
import { usedNumbers } from "../../../../contract/orders.ts"
import { orderStatuses } from "../../../../contract/program/order.ts"
import { session } from "../../../../contract/users.ts"
import { ApiError } from "../../../api/errors.ts"
import { apiPath, request } from "../../../api/request.ts"
import {
  ask,
  claim,
  confirm,
  drop,
  goOn,
  type Outbox,
  type Parcel,
  type ParcelQuestion,
  taken,
} from "./outbox.ts"
import type { Connection } from "./shipping.ts"
import { externalValue, type ExternalValue } from "../../../lib/external-value.ts"

/** What the outbox asks of the desk's server. None of it waits for somebody to sign in again: the sender decides. */
export interface ParcelCalls {
  /** Id of who is signed in. */
  whoami(): Promise<string>
  /** Makes the parcel's job, or gives back the one the same key made before. */
  make(parcel: Parcel): Promise<Job>
  /** The job and its one row as they stand. */
  look(jobId: string): Promise<{ readonly job: Job; readonly row: JobRow | undefined }>
  resume(jobId: string): Promise<void>
  retry(jobId: string): Promise<void>
  decide(jobId: string, body: DecisionBody): Promise<void>
  /** Another order that has the number already, as far as was looked. */
  used(number: string, except: string): Promise<string | undefined>
  /** Name of the carrier a number is of; null: a person has to say. */
  carrierOf(number: string): Promise<string | null>
}

/** How long one answer is waited for, in ms: after that the network counts as gone. */
const patience = 15_000

/** The calls as they go to the desk's server. Each throws what `request` throws. */
export const parcelCalls: ParcelCalls = {
  whoami: async () => (await askServer({ path: apiPath("session"), schema: session })).data.user.id,
  make: async (parcel) =>
    (
      await askServer({
        method: "POST",
        path: apiPath("jobs"),
        body: jobBodyOf(parcel),
        idempotencyKey: parcel.key,
        schema: job,
      })
    ).data,
  async look(jobId) {
    const [about, rows] = await Promise.all([
      askServer({ path: apiPath("jobs", jobId), schema: job }),
      askServer({
        path: apiPath("jobs", jobId, "rows"),
        query: { page: 1, per_page: 1 },
        schema: z.array(jobRow),
      }),
    ])
    return { job: about.data, row: rows.data[0] }
  },
  resume: (jobId) => post(apiPath("jobs", jobId, "resume"), {}),
  retry: (jobId) => post(apiPath("jobs", jobId, "retry"), {}),
  decide: (jobId, body) => post(apiPath("jobs", jobId, "rows", "1", "decision"), body),
  async used(number, except) {
    const path = apiPath("orders", "used-numbers")
    const { data } = await askServer({
      method: "POST",
      path,
      body: { numbers: [number], except },
      schema: usedNumbers,
    })
    return data.used[0]?.order_id
  },
  async carrierOf(number) {
    const body = { numbers: [number] }
    const path = apiPath("carriers", "recognise")
    const [found] = (await askServer({ method: "POST", path, body, schema: z.array(recognised) })).data
    if (found?.chosen == null) return null
    const { carriers } = (await askServer({ path: apiPath("settings", "carriers"), schema: carrierSettings }))
      .data
    return carriers.find(({ code }) => code === found.chosen)?.name ?? null
  },
}

/** The job a parcel becomes. Made from the parcel alone: the same parcel is always the same body under its key. */
export function jobBodyOf({ order_id, tracking_number, carrier, expected, undoes }: Parcel): CreateJobBody {
  const [what, row]: [string, OrderUpdateRow] =
    undoes === undefined
      ? [
          "Ship",
          {
            order_id,
            status: "shipped",
            tracking_number,
            ...(carrier !== null && { carrier }),
            expected,
          },
        ]
      : ["Undo shipping", { order_id, ...setBack(undoes), expected }]
  return {
    kind: "order-update",
    rows: [row],
    options: { title: `${what} ${order_id}`.slice(0, 120) },
  }
}

/** Fields as they were before; a status that the service does not document cannot be set and stays. */
function setBack({ status, tracking_number, carrier }: SeenOrder): Omit<OrderUpdateRow, "order_id"> {
  const known = orderStatuses.find((each) => each === status)
  return {
    ...(known !== undefined && { status: known }),
    tracking_number: tracking_number ?? "",
    carrier: carrier ?? "",
  }
}

type Question<T> = Omit<Parameters<typeof request<T>>[0], "onSessionEnd" | "signal">

function askServer<T>(question: Question<T>) {
  return request<T>({ ...question, signal: AbortSignal.timeout(patience), onSessionEnd: "throw" })
}

async function post(path: string, body: unknown): Promise<void> {
  await askServer({ method: "POST", path, body, schema: z.unknown() })
}

/** What a parcel's job says about it. */
type RowNews =
  /** On its way, looked up, or waiting for its turn. */
  | { readonly type: "under-way" }
  /** It could not be sent for a minute and waits for a word. */
  | { readonly type: "late" }
  /** Its job stands still for a reason that meets every other parcel too. */
  | { readonly type: "stopped"; readonly message: string }
  | { readonly type: "confirmed" }
  /** A person settled it on the job's page. */
  | { readonly type: "dealt-with" }
  | { readonly type: "asks"; readonly question: ParcelQuestion }

/** Reads how a parcel stands from its job (docs/decisions/0002-money.md, rows and their states). */
export function readRow(job: Job, row: JobRow | undefined): RowNews {
  if (row === undefined) return { type: "under-way" }
  switch (row.state) {
    case "confirmed":
      return { type: "confirmed" }
    case "failed":
    case "absent":
    case "conflict":
      return settledOrAsks(row, row.state)
    case "planned":
      return plannedNews(job)
    default:
      return { type: "under-way" }
  }
}

function settledOrAsks({ decision, outcome }: JobRow, kind: "failed" | "absent" | "conflict"): RowNews {
  if (decision?.decision === "happened") return { type: "confirmed" }
  if (decision?.decision === "leave") return { type: "dealt-with" }
  return {
    type: "asks",
    question: {
      kind,
      code: outcome?.code ?? kind,
      message: outcome?.message ?? "Decision needed.",
    },
  }
}

function plannedNews({ state, pause }: Job): RowNews {
  if (state === "cancelled" || state === "cancelling") {
    const message = "Its job was cancelled before it was sent. Nothing was changed."
    return { type: "asks", question: { kind: "cancelled", code: "cancelled", message } }
  }
  if (state !== "paused") return { type: "under-way" }
  if (pause?.code === pauseCodes.notSentInTime) return { type: "late" }
  return { type: "stopped", message: pause?.message ?? "Its job is paused." }
}

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
async function settleUnchecked(
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
