import * as z from "zod/mini"
import type { RowOutcomeCode } from "../../../../contract/desk/job-rows.ts"
import { rowOutcomeWords } from "../../../../contract/errors/row-outcomes.ts"
import { memberReader } from "../../../../contract/program/member.ts"
import { redeemBody, rewardReader } from "../../../../contract/program/reward.ts"
import { readBody } from "../../body.ts"
import { planById } from "../../gateway/read-plan.ts"
import { memberPlan } from "../../members/member-write.ts"
import { askerOf, type JobContext } from "../job-context.ts"
import type { Ready } from "../job-kind.ts"
import { readNow } from "../job-reads.ts"
import type { JobRecord, RowRecord } from "../job-store.ts"
import { readBalance } from "./ledger.ts"
import { memberOrders } from "./member-orders.ts"

/** What was noted before a redemption was sent. */
const noted = z.object({ orders: z.array(z.string()), cost: z.number() })

/** Ids of the member's orders before sending, and the points it costs. */
export function notedBefore({ work }: Pick<RowRecord, "work">): {
  orders: readonly string[]
  cost: number | undefined
} {
  const parsed = noted.safeParse(work)
  return parsed.success ? parsed.data : { orders: [], cost: undefined }
}

/**
 * Looks right before a redemption: what would be refused is not sent, and the member's orders are noted. The service's
 * word is the last one all the same.
 */
export async function lookBeforeRedeeming(
  context: JobContext,
  job: JobRecord,
  row: RowRecord,
): Promise<Ready> {
  const { member_id, reward_id, quantity = 1, shipping_address } = readBody(row.input, redeemBody)
  const asker = askerOf(job)
  const reward = rewardReader.tolerant.parse(
    (await readNow(context, asker, planById("GET /rewards/{reward_id}", { reward_id }))).data,
  )
  if (reward.status === "inactive") return refused("reward_inactive")
  if (typeof reward.stock === "number" && reward.stock < quantity) return refused("out_of_stock")
  if (reward.type === "physical" && shipping_address === undefined) return refused("address_needed")
  // Seldom changed, so a copy from the list will do.
  const { copy } = await context.reads.read(memberPlan(member_id), { person: asker.person })
  const member = memberReader.tolerant.parse(copy.data)
  if (member.status?.toLowerCase() === "inactive") return refused("member_inactive")
  const { balance } = await readBalance(context, asker, member_id)
  const cost = (reward.points_cost ?? 0) * quantity
  if (balance < cost) return refused("not_enough_points")
  const orders = (await memberOrders(context, asker, member_id)).map(({ order_id }) => order_id)
  return { kind: "go", work: { orders, cost, balance } }
}

function refused(code: RowOutcomeCode): Ready {
  return { kind: "failed", outcome: { code, message: rowOutcomeWords[code] } }
}
