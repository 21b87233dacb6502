import { limits } from "../../contract/limits.ts"
import type { ActContext } from "../audit-log.ts"
import { DeskFailure } from "../errors.ts"
import { planById } from "../gateway/upstream-read.ts"
import type { JobContext } from "./job-context.ts"
import type { RowRecord } from "./job-store.ts"
import { readBalance } from "./kinds/ledger.ts"
import { readMembers } from "./kinds/find-members.ts"

/** A preview may cost so many requests; beyond that the service's own refusals say who lacks points. */
const mostRequests = 40

/** Requests that reading the balances of so many members takes at most. */
export function balanceRequests(members: number): number {
  return Math.min(members, mostRequests)
}

/**
 * Balances of the rows' members by id, by whichever is cheaper: one read each, or all pages of members. Undefined when
 * both cost too much, or the service cannot be read now.
 */
export async function balancesOf(
  context: JobContext,
  { user }: ActContext,
  rows: readonly Pick<RowRecord, "memberId">[],
): Promise<ReadonlyMap<string, number> | undefined> {
  const members = new Set(rows.flatMap(({ memberId }) => (memberId === null ? [] : [memberId])))
  const asker = { lane: "people", person: user } as const
  try {
    if (members.size <= mostRequests / 2) return await oneByOne(context, asker, members)
    const total = (await context.reads.read(firstPage(), { person: user })).response.meta?.total
    if (total === undefined || total / limits.perPage.max > mostRequests) return undefined
    const { rows: all, complete } = await readMembers(context, asker, {}, new AbortController().signal)
    if (!complete) return undefined
    return new Map(
      all.flatMap(({ id, points_balance }) =>
        members.has(id) && points_balance !== undefined && points_balance !== null
          ? [[id, points_balance]]
          : [],
      ),
    )
  } catch (error) {
    if (error instanceof DeskFailure) return undefined
    throw error
  }
}

async function oneByOne(
  context: JobContext,
  asker: Parameters<typeof readBalance>[1],
  members: ReadonlySet<string>,
): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  await Promise.all(
    Array.from(members, async (id) => {
      try {
        found.set(id, (await readBalance(context, asker, id)).balance)
      } catch (error) {
        // Nothing can be taken from a member who is gone: the service will say so.
        if (!(error instanceof DeskFailure) || error.code !== "not_found") throw error
      }
    }),
  )
  return found
}

function firstPage() {
  return planById("GET /members", {}, { page: 1, per_page: limits.perPage.max })
}
