import * as z from "zod/mini"
import { textParam } from "../../../lists/list-params.ts"

/** The drawer's part of the address of an order's page. */
export const editSearch = z.object({
  /** Job whose outcome stands in the drawer. */
  job: textParam(40),
  /** A parcel is being sent: the status is Shipped from the start. */
  ship: z.catch(z.optional(z.boolean()), undefined),
})

/** The drawer's part of the list's address: the order too. */
export const listEditSearch = z.extend(editSearch, { order: textParam(200) })

/** Where the drawer is, and how it goes elsewhere. */
export interface EditAddress {
  readonly orderId: string
  readonly jobId: string | undefined
  readonly ship: boolean
  /** The tracking number that the form begins with, whatever the order has. */
  readonly number?: string | undefined
  readonly toOutcome: (jobId: string) => void
  readonly toForm: () => void
  readonly close: () => void
}
