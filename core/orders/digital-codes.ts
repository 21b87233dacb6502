import type { OrderCode } from "../../contract/orders.ts"
import type { CoreContext } from "../context.ts"
import { stored } from "../errors.ts"
import { permitWaitMs, parseResponse, planById } from "../gateway/upstream-read.ts"
import type { ApiRequest } from "../http.ts"
import { orderScope } from "../jobs/kinds/redeem.ts"

/** Shows an order's digital code, once. The log has it before, and what goes wrong in its place. @throws AppError */
export async function revealCode(
  context: CoreContext,
  request: ApiRequest,
  id: string,
  reason: string,
): Promise<OrderCode> {
  const act = { action: "order.reveal", on: { kind: "order", id, label: null } } as const
  return context.audit.reveal(request, act, { reason, notShown: "No code was shown." }, async () => {
    const fresh = await freshCode(context, request, id)
    const code = fresh ?? (await readCode(context, request, id))
    if (code === undefined)
      return { order_id: id, code: null, why_none: "not_carried", message: notCarried, seen: null }
    const seen = fresh === undefined ? "order" : "redemption"
    return { order_id: id, code, why_none: null, message: null, seen }
  })
}

/** The code of a redemption that this very person made a moment ago, here. */
async function freshCode(
  { store, codes }: CoreContext,
  { user }: ApiRequest,
  id: string,
): Promise<string | undefined> {
  const owner = (await stored(store.jobs.claims(orderScope, [id]))).get(id)
  return owner === undefined ? undefined : codes.take({ ...owner, makerId: user.id })
}

/** A cached response never holds a code. */
async function readCode(
  { caller, clock }: CoreContext,
  { user, signal }: ApiRequest,
  id: string,
): Promise<string | undefined> {
  const plan = planById("GET /orders/{order_id}", { order_id: id })
  let code: string | undefined
  const requestedAt = clock.monotonic()
  const outcome = await caller.send({
    operation: plan.operation.id,
    api: "program",
    method: "GET",
    path: plan.path,
    query: plan.query,
    lane: "people",
    person: user,
    deadline: requestedAt + permitWaitMs,
    signal,
    onSecret: (secret) => {
      code = secret
    },
  })
  // It throws unless the response is this order.
  parseResponse(plan, outcome, { requestedAt, answeredAt: clock.monotonic() }, "money")
  return code
}

const notCarried =
  "The order has no digital code, or no longer has one. The member has it from the service, or a program administrator can find it there."
