import { sql, type Transaction } from "kysely"
import type { Api } from "../../contract/response.ts"
import type { BudgetGrant, BudgetState, BudgetStore, PermitOwner, WindowUse } from "../../core/ports.ts"
import type { Engine } from "./engine.ts"
import type { Database } from "./schema.ts"

/** Permits taken within this time are read together, ms. */
const togetherMs = 100
/** Clock drift tolerated per interval, ms. */
const mostApart = (passed: number) => Math.floor(1000 + passed * 0.001)

/**
 * The shared count of requests, one row for each permit. A permit is taken at a moment of the database's clock and free
 * again one window later, so no window of that length ever holds more than the limit, whatever the instances' own
 * clocks say. Taking is serialised for each service behind `lock`.
 * @param elapsed a time of this process that never jumps, ms
 */
export function budgetStore(
  engine: Pick<Engine, "db" | "lock">,
  elapsed: () => number = () => performance.now(),
): BudgetStore {
  const seen = new Map<Api, Times>()

  /**
   * Works alone with one service's count, at the database's time. If that clock was put forward since this process
   * used it last, every permit and pause is shifted with it: else all of them would be free immediately. Instances that
   * see the jump later move them again; what lies beyond a window counts as its end (`countWindow`), so permits come
   * back late, never early.
   */
  async function alone<T>(
    api: Api,
    work: (within: Transaction<Database>, now: number) => Promise<T>,
  ): Promise<T> {
    let times: Times = { now: 0, elapsed: 0 }
    const result = await engine.db.transaction().execute(async (within) => {
      const now = await engine.lock(within, `budget ${api}`)
      times = { now, elapsed: elapsed() }
      const ahead = aheadBy(seen.get(api), times)
      if (ahead > 0) await shiftTimestamps(within, api, ahead)
      return work(within, now)
    })
    seen.set(api, times)
    return result
  }

  return {
    take: (api, limit, windowMs, choose, atOnce) =>
      alone(api, async (within, now): Promise<BudgetGrant> => {
        const { busy, blockedForMs } = await countWindow(within, api, now, windowMs)
        if (blockedForMs > 0) return { granted: false, inMs: blockedForMs }
        const free = limit - busy
        if (atOnce !== undefined && free > 0 && free >= atOnce.leastFree)
          return grant(within, api, now + windowMs, atOnce.taker)
        const held = await readHeld(within, api, now)
        if (free <= 0) return { granted: false, inMs: untilBusyAtMost(limit - 1, held, busy) }
        const choice = choose({ free, recentUse: held })
        if ("taker" in choice) return grant(within, api, now + windowMs, choice.taker)
        return { granted: false, inMs: Math.min(choice.inMs, held[0]?.freeInMs ?? windowMs) }
      }),

    state: (api, limit, windowMs) =>
      alone(api, async (within, now): Promise<BudgetState> => {
        const { busy, blockedForMs } = await countWindow(within, api, now, windowMs)
        if (blockedForMs > 0) return { left: 0, nextInMs: blockedForMs, blocked: true }
        if (busy < limit) return { left: limit - busy, nextInMs: 0 }
        return { left: 0, nextInMs: untilBusyAtMost(limit - 1, await readHeld(within, api, now), busy) }
      }),

    block: (api, _limit, _windowMs, forMs) =>
      alone(api, async (within, now) => {
        // The columns are whole numbers, and PostgreSQL refuses others; the pause has jitter.
        const wholeMs = Math.ceil(forMs)
        if ((await blockedFor(within, api, now)) >= wholeMs) return
        const pause = { until_at: now + wholeMs, for_ms: wholeMs }
        await within
          .insertInto("budget_block")
          .values({ api, ...pause })
          .onConflict((conflict) => conflict.column("api").doUpdateSet(pause))
          .execute()
      }),
  }
}

type Times = Readonly<{ now: number; elapsed: number }>

/** By how much the database's clock was put forward since `before`, ms; 0 if it was not. */
function aheadBy(before: Times | undefined, { now, elapsed }: Times): number {
  if (before === undefined) return 0
  const passed = elapsed - before.elapsed
  const ahead = Math.ceil(now - before.now - passed)
  return ahead > mostApart(passed) ? ahead : 0
}

async function shiftTimestamps(within: Transaction<Database>, api: Api, ms: number): Promise<void> {
  await sql`update budget_grant set free_at = free_at + ${ms} where api = ${api}`.execute(within)
  await sql`update budget_block set until_at = until_at + ${ms} where api = ${api}`.execute(within)
}

async function grant(
  within: Transaction<Database>,
  api: Api,
  freeAt: number,
  { lane, who }: PermitOwner,
): Promise<BudgetGrant> {
  const values = sql`${api}, ${freeAt}, ${lane}, ${who}`
  await sql`insert into budget_grant (api, free_at, lane, who) values (${values})`.execute(within)
  return { granted: true }
}

/** Number of permits in use after expired ones were deleted, in one statement where possible. */
async function countWindow(within: Transaction<Database>, api: Api, now: number, windowMs: number) {
  const { rows } = await sql<{ busy: number; first: number | null; last: number | null; paused: unknown }>`
    select count(*) filter (where free_at > ${now}) as busy, min(free_at) as first, max(free_at) as last,
      (select max(until_at) from budget_block where api = ${api}) as paused
    from budget_grant where api = ${api}`.execute(within)
  const { busy, first, last, paused } = rows[0] ?? { busy: 0, first: null, last: null, paused: null }
  if (first !== null && first <= now)
    await sql`delete from budget_grant where api = ${api} and free_at <= ${now}`.execute(within)
  const latest = now + windowMs
  // A clock that was set back would hold permits for longer than a window.
  if (last !== null && last > latest)
    await sql`update budget_grant set free_at = ${latest} where api = ${api} and free_at > ${latest}`.execute(
      within,
    )
  return { busy, blockedForMs: paused === null ? 0 : await blockedFor(within, api, now) }
}

async function readHeld(
  within: Transaction<Database>,
  api: Api,
  now: number,
): Promise<WindowUse["recentUse"]> {
  const rows = await within
    .selectFrom("budget_grant")
    .select(["lane", "who"])
    .select((eb) => [eb.fn.countAll<number>().as("permits"), eb.fn.max("free_at").as("free_at")])
    .where("api", "=", api)
    .groupBy(["lane", "who", sql`free_at / ${sql.lit(togetherMs)}`])
    .orderBy(sql`max(free_at)`)
    .execute()
  return rows.map(({ lane, who, permits, free_at }) => ({ lane, who, permits, freeInMs: free_at - now }))
}

/** ms until no more than `mayBusy` of the permits are taken. */
function untilBusyAtMost(mayBusy: number, held: WindowUse["recentUse"], busy: number): number {
  let left = busy
  for (const { permits, freeInMs } of held) {
    left -= permits
    if (left <= mayBusy) return freeInMs
  }
  return held.at(-1)?.freeInMs ?? 1
}

/** Remaining pause of the service, ms. A clock that was set back would hold it for longer than requested. */
async function blockedFor(within: Transaction<Database>, api: Api, now: number): Promise<number> {
  const row = await within.selectFrom("budget_block").selectAll().where("api", "=", api).executeTakeFirst()
  if (row === undefined) return 0
  const latest = now + row.for_ms
  if (row.until_at > latest) {
    await within.updateTable("budget_block").set({ until_at: latest }).where("api", "=", api).execute()
  }
  return Math.max(0, Math.min(row.until_at - now, row.for_ms))
}
