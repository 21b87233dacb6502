import { carrierSettings, recognised } from "../../../../../contract/carriers.ts"
import { type CreateJobBody, job, type Job } from "../../../../../contract/job.ts"
import {
  type DecisionBody,
  jobRow,
  type JobRow,
  type OrderUpdateRow,
  type SeenOrder,
} from "../../../../../contract/job-rows.ts"
import { session } from "../../../../../contract/users.ts"
import { usedNumbers } from "../../../../../contract/orders.ts"
import { orderStatuses } from "../../../../../contract/program/order.ts"
import { apiPath, request } from "../../../../api/request.ts"
import * as z from "zod/mini"
import type { Parcel } from "./parcel.ts"

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
  whoami: async () => (await ask({ path: apiPath("session"), schema: session })).data.user.id,
  make: async (parcel) =>
    (
      await ask({
        method: "POST",
        path: apiPath("jobs"),
        body: jobOf(parcel),
        idempotencyKey: parcel.key,
        schema: job,
      })
    ).data,
  async look(jobId) {
    const [about, rows] = await Promise.all([
      ask({ path: apiPath("jobs", jobId), schema: job }),
      ask({ path: apiPath("jobs", jobId, "rows"), query: { page: 1, per_page: 1 }, schema: z.array(jobRow) }),
    ])
    return { job: about.data, row: rows.data[0] }
  },
  resume: (jobId) => post(apiPath("jobs", jobId, "resume"), {}),
  retry: (jobId) => post(apiPath("jobs", jobId, "retry"), {}),
  decide: (jobId, body) => post(apiPath("jobs", jobId, "rows", "1", "decision"), body),
  async used(number, except) {
    const path = apiPath("orders", "used-numbers")
    const { data } = await ask({
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
    const [found] = (await ask({ method: "POST", path, body, schema: z.array(recognised) })).data
    if (found?.chosen == null) return null
    const { carriers } = (await ask({ path: apiPath("settings", "carriers"), schema: carrierSettings })).data
    return carriers.find(({ code }) => code === found.chosen)?.name ?? null
  },
}

/** The job a parcel becomes. Made from the parcel alone: the same parcel is always the same body under its key. */
export function jobOf({ order_id, tracking_number, carrier, expected, undoes }: Parcel): CreateJobBody {
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

function ask<T>(question: Question<T>) {
  return request<T>({ ...question, signal: AbortSignal.timeout(patience), onSessionEnd: "throw" })
}

async function post(path: string, body: unknown): Promise<void> {
  await ask({ method: "POST", path, body, schema: z.unknown() })
}
