import type { RedeemBody } from "../../../contract/program/reward.ts"
import type { RowRecord } from "../../../core/jobs/job-store.ts"
import type { Sandbox } from "../../../sandbox/app.ts"
import { memberIds } from "../made-up-rows.ts"

const address = {
  name: "Ana Silva",
  line1: "1 Reef Street",
  city: "Cairns",
  postal_code: "4870",
  country: "AU",
}

/**
 * Redemptions with a unique pair of member and reward, so that every order identifies its row. Each member redeems
 * every offered reward and gets the points for it.
 */
export function redeemRows(sandbox: Sandbox, count: number, rewardsEach: number): RedeemBody[] {
  const { rewards, members } = sandbox.store
  const offered = [...rewards.values()]
    .filter(({ status, stock }) => status === "active" && (stock === null || stock >= count))
    .toSorted((one, other) => one.points_cost - other.points_cost)
    .slice(0, rewardsEach)
  const able = memberIds(sandbox, members.count).filter((id) => members.get(id)?.status === "active")
  for (const id of able) {
    const member = members.get(id)
    if (member !== undefined) members.put({ ...member, balance: 1_000_000 })
  }
  const rows = able.flatMap((member_id) =>
    offered.map(({ id, type }): RedeemBody => ({
      member_id,
      reward_id: id,
      ...(type === "physical" && { shipping_address: address }),
    })),
  )
  if (rows.length < count) throw new Error(`Only ${rows.length} redemptions can be made.`)
  return rows.slice(0, count)
}

/** Redemptions compared with the service's ledger; `notes` has a sentence for each mistake. */
export interface RedeemCounts {
  readonly confirmed: number
  readonly failed: number
  /** Left to a person. */
  readonly open: number
  readonly notes: readonly string[]
}

/** Compares rows with the service's ledger: D, P, W and L as sentences. */
export function countRedemptions(
  sandbox: Sandbox,
  rows: readonly Pick<RowRecord, "row" | "state" | "input" | "upstreamId" | "decision">[],
): RedeemCounts {
  const effects = sandbox.store.ledger.filter((effect) => effect.kind === "redeem")
  const keyOf = (one: { memberId: unknown; rewardId: unknown }) =>
    JSON.stringify([one.memberId, one.rewardId])
  const byKey = new Map<string, string[]>()
  for (const effect of effects) byKey.set(keyOf(effect), [...(byKey.get(keyOf(effect)) ?? []), effect.id])
  const notes: string[] = []
  const known = new Set<string>()
  for (const { row, state, input, upstreamId } of rows) {
    const key = keyOf({ memberId: input["member_id"], rewardId: input["reward_id"] })
    const there = byKey.get(key) ?? []
    known.add(key)
    if (there.length > 1) notes.push(`D: row ${row} was done ${there.length} times`)
    if (state === "confirmed" && (upstreamId === null || !there.includes(upstreamId)))
      notes.push(`L: row ${row} is confirmed with ${upstreamId}, which is not its order`)
    if ((state === "failed" || state === "planned" || state === "absent") && there.length > 0)
      notes.push(`W: row ${row} is ${state}, but ${there.join(", ")} is there`)
    if (state === "sent" || state === "planned" || state === "unknown")
      notes.push(`L: row ${row} is still ${state}`)
  }
  for (const [key, ids] of byKey) if (!known.has(key)) notes.push(`P: ${ids.join(", ")} has no row`)
  const count = (...states: string[]) => rows.filter(({ state }) => states.includes(state)).length
  return { confirmed: count("confirmed"), failed: count("failed"), open: count("absent", "conflict"), notes }
}

/** Redemptions sent more than once, 429s excluded. */
export function sentTwice(sandbox: Sandbox): string[] {
  const sent = new Map<string, number>()
  for (const { path, body, status } of sandbox.requests.entries) {
    if (path === "/v1/rewards/redeem" && status !== 429) sent.set(body, (sent.get(body) ?? 0) + 1)
  }
  return [...sent].filter(([, times]) => times > 1).map(([body]) => body)
}
