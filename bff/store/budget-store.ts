import { type Kysely, type Transaction } from "kysely"
import type { Api } from "../../contract/desk/status.ts"
import type { BudgetGrant, BudgetStore } from "../core/ports.ts"
import type { Engine } from "./engine.ts"
import type { Database } from "./schema.ts"

/**
 * The shared count of requests as one row for each taken place. A place is taken at a moment of the database's
 * clock and free one window later, so no window of that length ever holds more than the limit, whatever the
 * instances' own clocks say. Taking is serialised for each service.
 */
export function budgetStore(engine: Pick<Engine, "db" | "lock">): BudgetStore {
  return {
    take: (api, limit, windowMs, keepFree) =>
      engine.db.transaction().execute(async (within): Promise<BudgetGrant> => {
        const now = await engine.lock(within, `budget ${api}`)
        const places = await read(within, api, now, windowMs)
        const mayBusy = limit - keepFree - 1
        if (places.blockedForMs > 0) return { granted: false, inMs: places.blockedForMs }
        if (places.busy > mayBusy) {
          const inMs = await untilBusyAtMost(within, api, mayBusy, places.busy, now)
          return { granted: false, inMs: inMs ?? windowMs }
        }
        await within
          .insertInto("budget_grant")
          .values({ api, free_at: now + windowMs })
          .execute()
        return { granted: true }
      }),

    state: (api, limit, windowMs) =>
      engine.db.transaction().execute(async (within) => {
        const now = await engine.lock(within, `budget ${api}`)
        const places = await read(within, api, now, windowMs)
        if (places.blockedForMs > 0) return { left: 0, nextInMs: places.blockedForMs }
        const left = Math.max(0, limit - places.busy)
        if (left > 0) return { left, nextInMs: 0 }
        const nextInMs = await untilBusyAtMost(within, api, limit - 1, places.busy, now)
        return { left, nextInMs: nextInMs ?? windowMs }
      }),

    block: (api, _limit, _windowMs, forMs) =>
      engine.db.transaction().execute(async (within) => {
        const now = await engine.lock(within, `budget ${api}`)
        const standing = await blockOf(within, api, now)
        if (standing >= forMs) return
        await within
          .insertInto("budget_block")
          .values({ api, until_at: now + forMs, for_ms: forMs })
          .onConflict((conflict) =>
            conflict.column("api").doUpdateSet({ until_at: now + forMs, for_ms: forMs }),
          )
          .execute()
      }),
  }
}

interface Places {
  readonly busy: number
  readonly blockedForMs: number
}

async function read(within: Transaction<Database>, api: Api, now: number, windowMs: number): Promise<Places> {
  await within.deleteFrom("budget_grant").where("api", "=", api).where("free_at", "<=", now).execute()
  const row = await within
    .selectFrom("budget_grant")
    .select((eb) => [eb.fn.countAll<number>().as("busy"), eb.fn.max("free_at").as("latest")])
    .where("api", "=", api)
    .executeTakeFirst()
  // A clock that was set back would hold places for longer than a window.
  if (row !== undefined && row.latest > now + windowMs) {
    await within
      .updateTable("budget_grant")
      .set({ free_at: now + windowMs })
      .where("api", "=", api)
      .where("free_at", ">", now + windowMs)
      .execute()
  }
  return { busy: row?.busy ?? 0, blockedForMs: await blockOf(within, api, now) }
}

/** ms until no more than `mayBusy` places are taken; undefined when there are no such places at all. */
async function untilBusyAtMost(
  within: Kysely<Database>,
  api: Api,
  mayBusy: number,
  busy: number,
  now: number,
): Promise<number | undefined> {
  if (mayBusy < 0) return undefined
  const row = await within
    .selectFrom("budget_grant")
    .select("free_at")
    .where("api", "=", api)
    .orderBy("free_at")
    .offset(busy - mayBusy - 1)
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? undefined : Math.max(1, row.free_at - now)
}

/** ms for which the service still wants nothing; never longer than it asked for, should the clock be set back. */
async function blockOf(within: Kysely<Database>, api: Api, now: number): Promise<number> {
  const row = await within
    .selectFrom("budget_block")
    .select(["until_at", "for_ms"])
    .where("api", "=", api)
    .executeTakeFirst()
  return row === undefined ? 0 : Math.max(0, Math.min(row.until_at - now, row.for_ms))
}
