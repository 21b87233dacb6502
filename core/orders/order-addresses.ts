import type { OrderAddress } from "../../contract/orders.ts"
import { limits } from "../../contract/limits.ts"
import { orderReader, type Order } from "../../contract/program/order.ts"
import { rewardReader, type Reward } from "../../contract/program/reward.ts"
import type { DeskContext } from "../context.ts"
import { DeskFailure, stored } from "../errors.ts"
import { planById } from "../gateway/upstream-read.ts"
import type { Requester } from "../gateway/caller.ts"
import type { RowRecord } from "../jobs/job-store.ts"
import { orderScope } from "../jobs/kinds/redeem-search.ts"
import { encodeId } from "../match.ts"
import { redeemedHere } from "./redeem-row.ts"

type Parts = Pick<DeskContext, "store" | "reads">

/**
 * Where orders go and how many pieces, from the rows that redeemed them here. Of others the quantity is worked out from
 * copies of the order and its reward; no order is asked for.
 */
export async function orderAddresses(
  context: Parts,
  person: Requester,
  ids: readonly string[],
): Promise<OrderAddress[]> {
  const { jobs } = context.store
  const claims = await stored(jobs.claims(orderScope, ids))
  const rows = await Promise.all(
    ids.map(async (id) => {
      const owner = claims.get(id)
      return owner === undefined ? undefined : stored(jobs.row(owner.job, owner.row))
    }),
  )
  const others = ids.filter((_, at) => rows[at] === undefined)
  const copies = orderCopies(context, new Set(others))
  await knowRewards(context, person, [...copies.values()])
  return ids.map((id, at) => {
    const row = rows[at]
    return row === undefined ? elsewhere(context, id, copies.get(id)) : fromRow(id, row)
  })
}

function fromRow(order_id: string, row: RowRecord): OrderAddress {
  const { address, removedAt, quantity, capturedAt } = redeemedHere(row)
  const why_none = address !== undefined ? null : removedAt === undefined ? "none_given" : "removed"
  return {
    order_id,
    address: address ?? null,
    why_none,
    captured_at: capturedAt === null ? null : new Date(capturedAt).toISOString(),
    removed_at: removedAt === undefined ? null : new Date(removedAt).toISOString(),
    quantity: { pieces: quantity, inferred: false },
  }
}

/** Redeemed by the member or another program: nobody here knows the address. */
function elsewhere(context: Parts, order_id: string, order: Order | undefined): OrderAddress {
  return {
    order_id,
    address: null,
    why_none: "not_redeemed_here",
    captured_at: null,
    removed_at: null,
    quantity: { pieces: piecesOf(context, order), inferred: true },
  }
}

/** Points spent, shared by what the reward costs now, if that is a whole number of pieces. */
function piecesOf(context: Parts, order: Order | undefined): number | null {
  const { points_spent, reward_id } = order ?? {}
  const cost = reward_id ? rewardCopy(context, reward_id)?.points_cost : undefined
  if (typeof points_spent !== "number" || typeof cost !== "number" || cost <= 0) return null
  const pieces = points_spent / cost
  return Number.isInteger(pieces) && pieces >= 1 ? pieces : null
}

/** The youngest cached response of each order, of its own or as a list's row: points and reward stand in both. */
function orderCopies({ reads }: Parts, ids: ReadonlySet<string>): ReadonlyMap<string, Order> {
  const found = new Map<string, { readonly order: Order; readonly at: number }>()
  for (const { data, at } of ids.size === 0 ? [] : reads.cachedWithTag("orders")) {
    for (const raw of Array.isArray(data) ? (data as readonly unknown[]) : [data]) {
      const id: unknown = typeof raw === "object" && raw !== null ? Reflect.get(raw, "order_id") : undefined
      if (typeof id !== "string" || !ids.has(id) || (found.get(id)?.at ?? -Infinity) > at) continue
      const order = orderReader.tolerant.safeParse(raw).data
      if (order !== undefined) found.set(id, { order, at })
    }
  }
  return new Map([...found].map(([id, { order }]) => [id, order]))
}

function rewardCopy({ reads }: Parts, reward_id: string): Reward | undefined {
  if (encodeId(reward_id) === undefined) return undefined
  const response = reads.cached(planById("GET /rewards/{reward_id}", { reward_id }))
  return response === undefined ? undefined : rewardReader.tolerant.safeParse(response.data).data
}

/** One page of the catalogue, if a reward that matters is not known: a quantity is worth no more. */
async function knowRewards(context: Parts, person: Requester, orders: readonly Order[]): Promise<void> {
  const unknown = orders.some(
    ({ reward_id: id }) => typeof id === "string" && rewardCopy(context, id) === undefined,
  )
  if (!unknown) return
  try {
    await context.reads.read(planById("GET /rewards", {}, { page: 1, per_page: limits.perPage.max }), {
      person,
    })
  } catch (error) {
    if (!(error instanceof DeskFailure)) throw error
  }
}
