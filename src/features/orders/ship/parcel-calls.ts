import { createStore } from "zustand"
import * as z from "zod/mini"
import { carrierSettings, recognised, usedNumbers } from "../../../../contract/orders.ts"
import { type DecisionBody, jobRow } from "../../../../contract/job-rows.ts"
import type { OrderUpdateRow, OrderBaseline } from "../../../../contract/kinds/order-update.ts"
import { type CreateJobBody, job, openJobRow } from "../../../../contract/job.ts"
import { orderStatuses } from "../../../../contract/program/order.ts"
import { apiPath, request } from "../../../api/request.ts"
import type { Parcel } from "./outbox.ts"

/** Timeouts of one request, in ms: after that the connection counts as lost. */
const timeout = { any: 15_000, reach: 4000 }

/**
 * Requests of a user's outbox; the server refuses them while another user is signed in. None waits for a new sign-in:
 * the sender decides that.
 */
export function parcelCalls(userId: string) {
  async function call<T>(options: Parameters<typeof request<T>>[0]): Promise<T> {
    const how = { signal: AbortSignal.timeout(timeout.any), onSessionEnd: "throw", userId } as const
    return (await request<T>({ ...how, ...options })).data
  }
  const post = (path: string, body: unknown = {}) => call({ method: "POST", path, body, schema: z.unknown() })
  return {
    reach: () =>
      call({ path: apiPath("session"), schema: z.unknown(), signal: AbortSignal.timeout(timeout.reach) }),
    /** Adds the parcel's row to the user's open job, or returns the one added with the same key before. */
    add: (parcel: Parcel) =>
      call({
        method: "POST",
        path: apiPath("jobs"),
        body: toJobBody(parcel),
        idempotencyKey: parcel.key,
        schema: openJobRow,
      }),
    job: (jobId: string) => call({ path: apiPath("jobs", jobId), schema: job }),
    row: (jobId: string, row: number) =>
      call({ path: apiPath("jobs", jobId, "rows", String(row)), schema: jobRow }),
    retry: (jobId: string, row: number) => post(apiPath("jobs", jobId, "retry"), { rows: [{ row }] }),
    decide: (jobId: string, row: number, body: DecisionBody) =>
      post(apiPath("jobs", jobId, "rows", String(row), "decision"), body),
    /** Another order that already has the number, as far as was looked up. */
    async used(number: string, except: string): Promise<string | undefined> {
      const path = apiPath("orders", "used-numbers")
      const body = { numbers: [number], except }
      return (await call({ method: "POST", path, body, schema: usedNumbers })).used[0]?.order_id
    },
    /** Name of the number's carrier; null: a person must choose. */
    async carrierOf(number: string): Promise<string | null> {
      const path = apiPath("carriers", "recognise")
      const body = { numbers: [number] }
      const [found] = await call({ method: "POST", path, body, schema: z.array(recognised) })
      if (found?.chosen == null) return null
      const { carriers } = await call({ path: apiPath("settings", "carriers"), schema: carrierSettings })
      return carriers.find(({ code }) => code === found.chosen)?.name ?? null
    },
  }
}
export type ParcelCalls = ReturnType<typeof parcelCalls>

/** The request for a parcel's row. Depends on the parcel alone, so a key always has the same body. */
export function toJobBody(parcel: Parcel): CreateJobBody {
  const { order_id, tracking_number, carrier, expected, undoes } = parcel
  const ship = { status: "shipped", tracking_number, ...(carrier !== null && { carrier }) } as const
  const row: OrderUpdateRow = { order_id, ...(undoes === undefined ? ship : setBack(undoes)), expected }
  return { kind: "order-update", rows: [row], options: { open: true } }
}

/** The previous values; a status that the service does not document cannot be set and stays. */
function setBack({ status, tracking_number, carrier }: OrderBaseline): Omit<OrderUpdateRow, "order_id"> {
  const known = orderStatuses.find((each) => each === status)
  return {
    ...(known !== undefined && { status: known }),
    tracking_number: tracking_number ?? "",
    carrier: carrier ?? "",
  }
}

/** Whether Laurel's server can be reached: `lost` when no response came, `found` when one did. */
export type Connection = ReturnType<typeof followConnection>

export function followConnection(signal: AbortSignal) {
  /** When it was lost, in ms since the epoch; null while connected. */
  const lostAt = createStore<number | null>(() => null)
  const lost = () => lostAt.setState(lostAt.getState() ?? Date.now(), true)
  const found = () => {
    if (navigator.onLine) lostAt.setState(null, true)
  }
  if (!navigator.onLine) lost()
  window.addEventListener("offline", lost, { signal })
  window.addEventListener("online", found, { signal })
  return { lostAt, lost, found }
}
