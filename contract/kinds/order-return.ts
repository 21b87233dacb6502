import * as z from "zod/mini"
import { limits } from "../limits.ts"
import { idText } from "../program/common.ts"
import type { JobKindDescriptor } from "./descriptor.ts"
import { orderBaseline } from "./order-update.ts"

/** A row of a job that cancels an order and then watches the member's ledger for the return of its points. */
export const orderReturnRow = z.strictObject({
  order_id: idText("Choose an order."),
  status: z.optional(z.literal("cancelled")),
  expected: z.optional(orderBaseline),
})

/** A ledger entry that may be the return of an order's points. */
export const returnEntry = z.object({
  transaction_id: z.string(),
  points: z.int(),
  created_at: z.nullable(z.string()),
  type: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  /** Its reference, reason or metadata has the order’s id. */
  names_order: z.boolean(),
})
export type ReturnEntry = z.output<typeof returnEntry>

/**
 * `cancelled`: by an update of ours, its points were not looked for; `cancelling`: the order is being cancelled;
 * `checking`: the ledger is watched; `decide`: points are missing, or a person has to tell which entries are the return;
 * `twice`: the service returned the points after our award, which is then taken back (`reversing`, `reversed`) or could
 * not be (`not-reversed`); `stopped`: nothing was cancelled, or only a person can tell.
 */
const returnSteps = [
  "cancelled",
  "cancelling",
  "checking",
  "decide",
  "returned",
  "awarding",
  "awarded",
  "twice",
  "reversing",
  "reversed",
  "not-reversed",
  "stopped",
] as const

/** Response of `GET /api/orders/{id}/return`: how far the return of an order’s points is; null: none can be. */
export const orderReturnView = z.nullable(
  z.object({
    job: z.string(),
    row: z.int(),
    step: z.enum(returnSteps),
    message: z.nullable(z.string()),
    spent: z.nullable(z.int()),
    /** What the ledger shows that may be the return; of `twice`, what came after our award. */
    entries: z.array(returnEntry),
    /** Entries that are the return, or count as it unless a person chooses others. */
    chosen: z.array(z.string()),
    /** Our award, or what takes it back. */
    award: z.nullable(z.object({ job: z.string(), row: z.int(), points: z.int() })),
  }),
)
export type OrderReturnView = z.output<typeof orderReturnView>

/**
 * Body of `POST /api/orders/{id}/return`: the entries that are the service’s return, and the points that follow from
 * them: those to award, or, of `twice`, those to take back from our award. 0 ends it without either.
 */
export const returnPointsBody = z.strictObject({
  entries: z.array(idText()).check(z.maxLength(limits.perPage.max)),
  points: z.int().check(z.minimum(0)),
})
export type ReturnPointsBody = z.output<typeof returnPointsBody>

export const orderReturn = {
  api: "program",
  permission: "points.write",
  reads: "ledger.read",
  audit: { action: "order.return", label: "Cancelled an order to return its points" },
  // The request is that of an order update.
  operations: [],
  // The order is read twice before it is cancelled.
  requestsPerRow: 3,
  subject: "order",
  name: "Return of points",
  noun: "return of points",
  pastTense: "cancelled",
  record: "order",
  recordLabel: "Order",
  fields: { order_id: "Order number" },
  resultFields: ["order_id"],
  visibleInput: { fulfilment: ["order_id", "status"], viewer: ["order_id", "status", "expected"] },
  labels: {
    title: "Cancel and return points",
    activity: "Cancelling an order and returning its points",
    notAllowed: "You can view orders but not return their points.",
    notDone: "Couldn’t cancel the order.",
    confirmed: "Cancelled",
    lookup: "in the order itself",
    source: "the order itself",
    otherJob: "This link is for a job that isn’t a return of points.",
  },
  decision: {
    question: "Is {who} cancelled, and were its points returned?",
    again: "Check the order and its points again",
    resendRisk: "The order is read first, and cancelled only if it isn’t yet.",
  },
} as const satisfies JobKindDescriptor
