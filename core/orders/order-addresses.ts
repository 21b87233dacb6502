import * as z from "zod/mini"
import { limits } from "../../contract/limits.ts"
import type { OrderAddress, previousAddress } from "../../contract/orders.ts"
import { isWaiting, orderReader, type Order } from "../../contract/program/order.ts"
import { redeemBody, rewardReader, shippingAddress, type Reward } from "../../contract/program/reward.ts"
import type { CoreContext } from "../context.ts"
import { AppError, stored } from "../errors.ts"
import type { Requester } from "../gateway/caller.ts"
import { planById } from "../gateway/upstream-read.ts"
import type { JobRecord, RowRecord } from "../jobs/job-store.ts"
import { orderScope } from "../jobs/kinds/redeem.ts"
import { encodeId } from "../match.ts"
import { isoTimeOrNull } from "../runtime.ts"
import { cachedOrders } from "./tracking-numbers.ts"

type Parts = Pick<CoreContext, "store" | "reads">

/** Where orders go and how many pieces, by the rows that redeemed them here, else by cached responses. */
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
  const cached = cachedOrders(others.length === 0 ? [] : context.reads.cachedWithTag("orders"))
  const shown = others.flatMap((id) => cached.get(id)?.order ?? [])
  await readRewards(context, person, shown)
  return ids.map((order_id, at): OrderAddress => {
    const row = rows[at]
    if (row !== undefined) return { order_id, ...redeemedHere(row) }
    // Redeemed by the member or another program: the address is unknown here.
    return {
      order_id,
      address: null,
      why_none: "not_redeemed_here",
      captured_at: null,
      removed_at: null,
      quantity: { pieces: piecesOf(context, cached.get(order_id)?.order), inferred: true },
    }
  })
}

const removal = z.object({ address_removed_at: z.number() })

function redeemedHere({ input, notes, firstSentAt }: RowRecord): Omit<OrderAddress, "order_id"> {
  const address = shippingAddress.safeParse(input["shipping_address"]).data
  const removedAt = removal.safeParse(notes).data?.address_removed_at
  const quantity = redeemBody.shape.quantity.safeParse(input["quantity"]).data ?? 1
  return {
    address: address ?? null,
    why_none: address !== undefined ? null : removedAt === undefined ? "none_given" : "removed",
    captured_at: isoTimeOrNull(firstSentAt),
    removed_at: isoTimeOrNull(removedAt ?? null),
    quantity: { pieces: quantity, inferred: false },
  }
}

/** Points spent, shared by what the reward costs now, if that is a whole number of pieces. */
function piecesOf(context: Parts, order: Order | undefined): number | null {
  const { points_spent, reward_id } = order ?? {}
  const cost = reward_id ? cachedReward(context, reward_id)?.points_cost : undefined
  if (typeof points_spent !== "number" || typeof cost !== "number" || cost <= 0) return null
  const pieces = points_spent / cost
  return Number.isInteger(pieces) && pieces >= 1 ? pieces : null
}

function cachedReward({ reads }: Parts, reward_id: string): Reward | undefined {
  if (encodeId(reward_id) === undefined) return undefined
  const cached = reads.cached(planById("GET /rewards/{reward_id}", { reward_id }))
  return cached === undefined ? undefined : rewardReader.tolerant.safeParse(cached.data).data
}

/** Reads one page of the catalogue if a reward that matters is not known: a quantity is worth no more. */
async function readRewards(context: Parts, person: Requester, orders: readonly Order[]): Promise<void> {
  const isMissing = orders.some(
    ({ reward_id: id }) => typeof id === "string" && cachedReward(context, id) === undefined,
  )
  if (!isMissing) return
  const plan = planById("GET /rewards", {}, { page: 1, per_page: limits.perPage.max })
  try {
    await context.reads.read(plan, { person })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}

/** Where the last confirmed redemption for a member was sent; null while no address of them is kept. @throws AppError 503 */
export async function previousAddressOf(
  { store }: Pick<CoreContext, "store">,
  memberId: string,
): Promise<z.output<typeof previousAddress>> {
  const rows = await stored(store.jobs.addressed({ memberId }))
  const last = rows.find(({ state }) => state === "confirmed")
  if (last === undefined) return null
  const { address, captured_at } = redeemedHere(last)
  return address && { address, captured_at }
}

type Forgetting = Pick<CoreContext, "clock" | "reads" | "store">

// An internal document of the settings store: deleted members whose orders still need an address.
const forgottenName = "addresses-to-forget"
const forgotten = z._default(z.object({ members: z.array(z.string()) }), { members: [] })

/**
 * Removes the addresses kept of a member who was deleted. What has not ended and orders that wait to be shipped still
 * need theirs: `forgetShipped` removes them later.
 */
export async function forgetAddresses(
  context: Forgetting,
  person: Requester,
  memberId: string,
): Promise<void> {
  if (await removeUnneeded(context, person, memberId)) return
  await changeForgotten(context, (members) => [...new Set([...members, memberId])])
}

/** Removes the addresses of members who were deleted earlier and whose orders no longer need them. */
export async function forgetShipped(context: Forgetting): Promise<void> {
  const { members } = forgotten.parse(await context.store.settings.get(forgottenName))
  const person = { id: "addresses", name: "Addresses of deleted members" }
  for (const id of members) {
    if (await removeUnneeded(context, person, id)) {
      await changeForgotten(context, (left) => left.filter((each) => each !== id))
    }
  }
}

function changeForgotten(
  { store }: Forgetting,
  change: (members: readonly string[]) => readonly string[],
): Promise<void> {
  return store.settings.change(forgottenName, async (settings) => {
    const { members } = forgotten.parse(await settings.get(forgottenName))
    await settings.put(forgottenName, { members: change(members) })
  })
}

/** Removes a deleted member's addresses except those that are still needed; gives whether none is left. */
async function removeUnneeded(context: Forgetting, person: Requester, memberId: string): Promise<boolean> {
  const remaining = await context.store.jobs.addressed({ memberId })
  const needed = await Promise.all(remaining.map((row) => isToShip(context, person, row)))
  const over = remaining.filter((_, at) => needed[at] !== true)
  return (await removeAddresses(context, over)) === remaining.length
}

/** Whether the row's order waits to be shipped; one that cannot be read may. */
async function isToShip(
  { reads }: Forgetting,
  person: Requester,
  { upstreamId }: RowRecord,
): Promise<boolean> {
  if (upstreamId === null) return false
  try {
    const { response } = await reads.read(planById("GET /orders/{order_id}", { order_id: upstreamId }), {
      person,
    })
    return isWaiting(orderReader.tolerant.parse(response.data).status)
  } catch (error) {
    return !(error instanceof AppError && error.code === "not_found")
  }
}

const dayMs = 86_400_000
const rowsAtOnce = 500

/**
 * Removes the addresses of redemptions older than the retention setting for good. What has not ended still needs its
 * address. Can be run by several instances in parallel.
 */
export async function sweepAddresses(
  context: Pick<CoreContext, "clock" | "settings" | "store">,
): Promise<void> {
  const { address_days } = await context.settings.get("retention")
  const until = context.clock.now() - address_days * dayMs
  await removeAddresses(context, await context.store.jobs.addressed({ until }))
}

/** Removes the addresses of rows whose sending is over, and returns how many. */
async function removeAddresses(
  { clock, store: { jobs } }: Pick<CoreContext, "clock" | "store">,
  rows: readonly RowRecord[],
): Promise<number> {
  const at = clock.now()
  let removed = 0
  for (const [jobId, own] of Map.groupBy(rows, (row) => row.jobId)) {
    const job = await jobs.get(jobId)
    const over = own.filter((row) => job !== undefined && isOver(job, row))
    const changes = over.map(({ row, state, attempts: attempt, input, notes }) => {
      const { shipping_address: _removed, ...rest } = input
      const set = { input: rest, notes: { ...notes, address_removed_at: at } }
      return { row, from: [state], attempt, set }
    })
    for (let from = 0; from < changes.length; from += rowsAtOnce) {
      const results = await jobs.changeRows(jobId, changes.slice(from, from + rowsAtOnce))
      removed += results.filter((result) => result === "changed").length
    }
  }
  return removed
}

/** Whether sending the row no longer needs its address. */
function isOver(job: JobRecord, { state, decision }: RowRecord): boolean {
  if (state === "confirmed" || state === "failed" || state === "excluded") return true
  if (state === "absent" || state === "conflict") return decision !== null
  return state === "planned" && job.state === "cancelled"
}
