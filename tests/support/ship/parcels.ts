import type { Job } from "../../../contract/job.ts"
import type { JobRow } from "../../../contract/job-rows.ts"
import { jobView, rowView } from "../job-views.ts"
import { type Parcel, newParcelState } from "../../../src/features/orders/ship/outbox.ts"

/** A parcel that was just scanned. */
export function parcel(number: number, change: Partial<Parcel> = {}): Parcel {
  return {
    key: `key-${number}`,
    at: number,
    order_id: `ord_${number}`,
    tracking_number: `33ABC44019${String(number).padStart(2, "0")}`,
    carrier: "Australia Post",
    expected: { status: "pending", tracking_number: null, carrier: null },
    ...newParcelState,
    ...change,
  }
}

/** The open job of the ship desk. */
export const jobOf = (id: string, change: Parameters<typeof jobView>[0] = {}): Job =>
  jobView({
    id,
    kind: "order-update",
    total: 1,
    created_by: { id: "user-fulfilment", name: "Tom Whitlock" },
    ...change,
  })

/** The row of a parcel. */
export const rowOf = (state: JobRow["state"], change: Partial<JobRow> = {}): JobRow =>
  rowView({ state, attempts: 1, member: null, ...change })
