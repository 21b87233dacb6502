import * as z from "zod/mini"
import { job as jobSchema } from "../../../contract/job.ts"
import { rowEvidence } from "../../../contract/job-rows.ts"
import { returnNotesOf } from "../../../core/jobs/kinds/order-return.ts"
import { counterpartOf } from "../../../core/jobs/kinds/points.ts"
import { wasDone } from "../../../core/jobs/job-record.ts"
import type { RowRecord } from "../../../core/jobs/job-store.ts"
import type { SandboxSettings } from "../../../sandbox/config.ts"
import type { OrderRecord } from "../../../sandbox/store/records.ts"
import { faultMix, orderFaults } from "../fault-mix.ts"
import { type Process, worldTimes } from "../in-process.ts"
import { memberIds } from "../made-up-rows.ts"
import { createRandom, type Random } from "../random.ts"
import { dataOf } from "./data-of.ts"
import { createSandboxWorld, type SandboxWorld } from "./sandbox-world.ts"

/** What services may do with the points of a cancelled order. */
const services: readonly Partial<SandboxSettings>[] = [
  { cancelRefunds: "never" },
  { cancelRefunds: "full", cancelRefundReference: true },
  { cancelRefunds: "full", cancelRefundReference: false, cancelRefundMs: worldTimes.settleMs },
  { cancelRefunds: "half", cancelRefundReference: false },
]

export interface ReturnsRun {
  readonly orders: number
  readonly awards: number
  readonly kills: number
  /** A sentence for each order whose member has more or fewer points than before it was redeemed. */
  readonly doubled: readonly string[]
  readonly missing: readonly string[]
}

/**
 * Cancels as many orders for each kind of service, with faults on a share of all requests and kills. A person awards what
 * is offered, often pressing twice, and decides awards by what the ledger shows.
 */
export async function runReturns(
  seed: number,
  each: number,
  share: number,
  kills: number,
): Promise<ReturnsRun> {
  const random = createRandom(seed)
  const world = createSandboxWorld({ members: each + 10 })
  const faults = [...orderFaults(share, worldTimes), ...faultMix(share, worldTimes)]
  for (const fault of faults) world.sandbox.faults.add(fault)
  const doubled: string[] = []
  const missing: string[] = []
  let killed = 0
  for (const [at, settings] of services.entries()) {
    Object.assign(world.sandbox.settings, settings)
    const orders = makeOrders(world, each, `ord_9${at}`, random)
    const before = new Map(orders.map(({ memberId }) => [memberId, balanceOf(world, memberId)]))
    killed += await returnAll(world, orders, kills, random)
    for (const { id, memberId, points } of orders) {
      const got = balanceOf(world, memberId) - (before.get(memberId) ?? 0)
      if (got > points) doubled.push(`${id}: ${got} of ${points} points`)
      if (got < points) missing.push(`${id}: ${got} of ${points} points`)
    }
  }
  const awards = world.sandbox.store.ledger.filter(({ kind }) => kind === "award").length
  return { orders: each * services.length, awards, kills: killed, doubled, missing }
}

const balanceOf = ({ sandbox }: SandboxWorld, id: string) => sandbox.store.members.get(id)?.balance ?? 0

/** Pending orders, each of another member. */
function makeOrders({ sandbox }: SandboxWorld, count: number, prefix: string, random: Random): OrderRecord[] {
  const [seeded] = sandbox.store.orders.all
  if (seeded === undefined) throw new Error("The seed has no orders.")
  return memberIds(sandbox, count).map((memberId, at) => {
    const id = `${prefix}${String(at).padStart(5, "0")}`
    const points = random.integer(1, 2000) * 2
    const order = { ...seeded, id, memberId, points, status: "pending", tracking: null, carrier: null }
    sandbox.store.orders.put(order)
    return order
  })
}

/** A response that may take until the clock has moved on. */
async function responseOf<T>(world: SandboxWorld, asking: Promise<T>): Promise<T> {
  let response: { readonly value: T } | undefined
  void asking.then((value) => (response = { value }))
  return (await world.until("a response", 600_000, () => response)).value
}

/** Times between two looks of the person, in steps of the world. */
const lookEvery = 10

async function returnAll(world: SandboxWorld, orders: readonly OrderRecord[], kills: number, random: Random) {
  let app = world.start()
  const rows = orders.map(({ id }) => ({ order_id: id, expected: { status: "pending" } }))
  const made = dataOf(
    await app.ask("POST /jobs", { body: { kind: "order-return", rows } }),
    201,
    z.object({ id: z.string() }),
  )
  let steps = 0
  let killed = 0
  await world.until("the return of all points", 14_400_000, async () => {
    steps += 1
    if (killed < kills && random.next() < 0.02) {
      app.life.kill()
      killed += 1
      app = world.start()
    }
    if (steps % lookEvery > 0) return undefined
    await responseOf(world, decideAwards(world, app))
    let open = 0
    for (const row of await world.rowsOf(made.id)) {
      if (await isReturned(world, row)) continue
      open += 1
      if (row.state === "conflict") await responseOf(world, returnRest(world, app, row, random))
      // Nothing was sent: an order without points, by two odd responses.
      if (row.state === "failed")
        await responseOf(world, app.ask(`POST /jobs/${made.id}/retry`, { body: {} }))
    }
    return open === 0 ? true : undefined
  })
  await world.clock.advance(10 * worldTimes.settleMs)
  app.life.kill()
  await world.sandbox.settleAll()
  return killed
}

async function isReturned({ store }: SandboxWorld, row: RowRecord): Promise<boolean> {
  if (row.state !== "confirmed") return false
  if (row.outcome?.code === "returned_by_service") return true
  const award = await counterpartOf(store, row)
  return award !== undefined && wasDone(award)
}

/** Awards the rest that is offered, sometimes twice in parallel; a refusal is looked at again. */
async function returnRest({ sandbox }: SandboxWorld, app: Process, row: RowRecord, random: Random) {
  const { spent = 0, entries = [], chosen: known = [] } = returnNotesOf(row) ?? {}
  // Where only a person can tell, they find out.
  const refunds = sandbox.store.ledger.filter(
    (effect) => effect.kind === "refund" && effect.orderId === row.label,
  )
  const isRefund = (id: string) => refunds.some((refund) => refund.id === id)
  const chosen =
    known.length > 0 ? known : entries.map(({ transaction_id }) => transaction_id).filter(isRefund)
  const returned = entries.filter(({ transaction_id }) => chosen.includes(transaction_id))
  const points = spent - returned.reduce((sum, entry) => sum + entry.points, 0)
  const key = `return-${row.jobId}-${row.row}`
  const press = (again: string) =>
    app.ask(`POST /orders/${row.label}/return`, {
      body: { entries: chosen, points },
      headers: { "idempotency-key": `${key}${again}` },
    })
  await Promise.all(random.next() < 0.3 ? [press(""), press(random.pick(["", "-again"]))] : [press("")])
}

/** Decides awards whose outcome only a person can tell, by the ledger; without a later award to go by, after a while. */
async function decideAwards({ clock, store }: SandboxWorld, app: Process): Promise<void> {
  const paused = await store.jobs.list({ perPage: 100, kinds: ["award"], state: "paused" })
  for (const { id } of paused) dataOf(await app.ask(`POST /jobs/${id}/resume`, { body: {} }), 200, jobSchema)
  for (const { id } of await store.jobs.list({ perPage: 100, kinds: ["award"], state: "attention" })) {
    const answer = await app.ask(`GET /jobs/${id}/rows/1/candidates`)
    if (answer.status !== 200) continue
    const { canary, candidates, resend, row } = dataOf(answer, 200, rowEvidence)
    const isOld = clock.now() - Date.parse(row.ended_at ?? "") > 10 * worldTimes.settleMs
    const own = candidates.find((one) => one.has_batch_code && one.claimed_by === null)
    const decision =
      own !== undefined
        ? { decision: "happened", upstream_id: own.upstream_id }
        : (canary === "found" || isOld) && resend.allowed && { decision: "resend" }
    if (decision) await app.ask(`POST /jobs/${id}/rows/1/decision`, { body: decision })
  }
}
