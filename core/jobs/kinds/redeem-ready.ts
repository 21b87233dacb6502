import type { RowOutcomeCode } from "../../../contract/job-rows.ts"
import { rowOutcomeWords } from "../../../contract/row-outcomes.ts"
import { redeemBody, rewardReader, type RedeemBody, type Reward } from "../../../contract/program/reward.ts"
import { readBody } from "../../validation.ts"
import { planById } from "../../gateway/upstream-read.ts"
import { type JobContext, requesterOf } from "../job-context.ts"
import type { Precheck } from "../job-kind.ts"
import { readNow, type JobRequester } from "../job-reads.ts"
import type { JobRecord, RowRecord } from "../job-store.ts"
import { readBalance } from "./ledger.ts"
import { memberOrders } from "./member-orders.ts"
import { notedBefore } from "./redeem-noted.ts"
import { redeemSearch } from "./redeem-search.ts"
import { redeemTraces } from "./redeem-traces.ts"
import { refusedRead } from "./refused-read.ts"

/**
 * Looks right before a redemption: what the service documents as refused is not sent (a reward, member or address that is
 * missing, insufficient points), and the member's orders are noted. Nothing else is refused here: whether an inactive
 * member or reward, or too little stock, stands in the way is the service's to say (docs/api/program.md, Rewards).
 */
export async function lookBeforeRedeeming(
  context: JobContext,
  job: JobRecord,
  row: RowRecord,
): Promise<Precheck> {
  const asked = readBody(row.input, redeemBody)
  const asker = requesterOf(job)
  const refused = (code: RowOutcomeCode) => refusal(row, { code, message: rowOutcomeWords[code] })
  let reading: RowOutcomeCode = "reward_not_found"
  try {
    const appeared = await appearedSince(context, asker, row, asked)
    if (appeared) return { kind: "conflict", outcome: orderAppeared }
    const reward = await readReward(context, asker, asked.reward_id)
    if (reward.type === "physical" && asked.shipping_address === undefined) return refused("address_needed")
    reading = "not_found_there"
    const { balance } = await readBalance(context, asker, asked.member_id)
    const cost = typeof reward.points_cost === "number" ? reward.points_cost * (asked.quantity ?? 1) : null
    if (cost !== null && balance < cost) return refused("not_enough_points")
    if (row.doubtful && notedBefore(row) !== undefined) return { kind: "go" }
    const orders = (await memberOrders(context, asker, asked.member_id)).map(({ order_id }) => order_id)
    return { kind: "go", work: { orders, cost, balance } }
  } catch (error) {
    const outcome = refusedRead(error, { code: reading, message: rowOutcomeWords[reading] })
    if (outcome === undefined) throw error
    return refusal(row, outcome)
  }
}

/** Refused before the first call it is failed; after a call in doubt that proves nothing, so a person says. */
function refusal({ doubtful }: RowRecord, { code, message }: { code: string; message: string }): Precheck {
  if (!doubtful) return { kind: "failed", outcome: { code, message } }
  const again = message.replace("Nothing was redeemed.", "Nothing was sent again.")
  return { kind: "conflict", outcome: { code, message: again } }
}

const orderAppeared = { code: "order_appeared", message: rowOutcomeWords.order_appeared }

/**
 * Whether an order has come since a first sending that is in doubt, which may be its own, late. The orders noted then
 * stay noted: so both are told apart from those before.
 */
async function appearedSince(
  context: JobContext,
  asker: JobRequester,
  row: RowRecord,
  { member_id }: RedeemBody,
): Promise<boolean> {
  const before = row.doubtful ? notedBefore(row) : undefined
  if (before === undefined) return false
  const orders = await memberOrders(context, asker, member_id)
  const search = await redeemSearch(context, row, before, orders)
  // However long ago its call ended.
  return redeemTraces({ ...search, window: undefined }, orders, []).possible.length > 0
}

async function readReward(context: JobContext, asker: JobRequester, reward_id: string): Promise<Reward> {
  const { data } = await readNow(context, asker, planById("GET /rewards/{reward_id}", { reward_id }))
  return rewardReader.tolerant.parse(data)
}
