import { DatabaseSync } from "node:sqlite"
import type { Api } from "../../contract/desk/status.ts"
import type { BudgetGrant, BudgetStore } from "../core/ports.ts"
import * as z from "zod/mini"

/** Places that become free within the same moment are counted together; ms, rounded up. */
const grain = 50

const sum = z.object({ places: z.number() })
const moment = z.object({ free_at: z.number(), places: z.number() })
const stop = z.object({ until_at: z.number(), for_ms: z.number() })

const tables = `
  create table if not exists grant_moment (
    api text not null, free_at integer not null, places integer not null, primary key (api, free_at)
  ) without rowid;
  create table if not exists block (
    api text primary key, until_at integer not null, for_ms integer not null
  ) without rowid;`

/**
 * The shared count of requests in a file of its own. A place is taken in one step of some 30 µs: the write reaches
 * the operating system before the request goes out, so a killed process forgets nothing, but not the disk, which
 * every request would have to wait for. All a power cut loses is a minute's count.
 */
export function openFileBudget(file: string): BudgetStore & { close(): void } {
  const database = new DatabaseSync(file, { timeout: 2000 })
  database.exec("pragma journal_mode = wal; pragma synchronous = normal;")
  database.exec(tables)
  const forget = database.prepare("delete from grant_moment where api = ? and free_at <= ?")
  const late = database.prepare(
    "select total(places) as places from grant_moment where api = ? and free_at > ?",
  )
  const forgetLate = database.prepare("delete from grant_moment where api = ? and free_at > ?")
  const busy = database.prepare("select total(places) as places from grant_moment where api = ?")
  const moments = database.prepare("select free_at, places from grant_moment where api = ? order by free_at")
  const add = database.prepare(
    `insert into grant_moment (api, free_at, places) values (?, ?, ?)
     on conflict (api, free_at) do update set places = places + excluded.places`,
  )
  const blocked = database.prepare("select until_at, for_ms from block where api = ?")
  const block = database.prepare(
    `insert into block (api, until_at, for_ms) values (?, ?, ?)
     on conflict (api) do update set until_at = excluded.until_at, for_ms = excluded.for_ms`,
  )

  /** Runs alone, whatever other process works on the file. */
  function alone<T>(work: () => T): T {
    database.exec("begin immediate")
    try {
      const result = work()
      database.exec("commit")
      return result
    } catch (error) {
      // A disk that is full ends the transaction by itself; the reason must not be hidden by a second error.
      if (database.isTransaction) database.exec("rollback")
      throw error
    }
  }

  function places(api: Api, now: number, windowMs: number): number {
    forget.run(api, now)
    // A clock that was set back would hold places for longer than a window.
    const latest = freeAt(now, windowMs)
    const held = sum.parse(late.get(api, latest)).places
    if (held > 0) {
      forgetLate.run(api, latest)
      add.run(api, latest, held)
    }
    return sum.parse(busy.get(api)).places
  }

  /** ms for which the service still wants nothing; never longer than it asked for, should the clock be set back. */
  function blockedFor(api: Api, now: number): number {
    const row = blocked.get(api)
    if (row === undefined) return 0
    const { until_at, for_ms } = stop.parse(row)
    return Math.max(0, Math.min(until_at - now, for_ms))
  }

  /** ms until no more than `mayBusy` places are taken; a whole window if that can never be. */
  function untilBusyAtMost(api: Api, mayBusy: number, taken: number, now: number, windowMs: number): number {
    let left = taken
    for (const row of mayBusy < 0 ? [] : moments.iterate(api)) {
      const { free_at, places: freed } = moment.parse(row)
      left -= freed
      if (left <= mayBusy) return Math.min(windowMs, Math.max(1, free_at - now))
    }
    return windowMs
  }

  return {
    take: async (api, limit, windowMs, keepFree) =>
      alone((): BudgetGrant => {
        const now = Date.now()
        const taken = places(api, now, windowMs)
        const stopped = blockedFor(api, now)
        if (stopped > 0) return { granted: false, inMs: stopped }
        const mayBusy = limit - keepFree - 1
        if (taken > mayBusy) {
          return { granted: false, inMs: untilBusyAtMost(api, mayBusy, taken, now, windowMs) }
        }
        add.run(api, freeAt(now, windowMs), 1)
        return { granted: true }
      }),
    state: async (api, limit, windowMs) =>
      alone(() => {
        const now = Date.now()
        const taken = places(api, now, windowMs)
        const stopped = blockedFor(api, now)
        if (stopped > 0) return { left: 0, nextInMs: stopped }
        const left = Math.max(0, limit - taken)
        return { left, nextInMs: left > 0 ? 0 : untilBusyAtMost(api, limit - 1, taken, now, windowMs) }
      }),
    block: async (api, _limit, _windowMs, forMs) =>
      alone(() => {
        const now = Date.now()
        if (blockedFor(api, now) < forMs) block.run(api, now + forMs, forMs)
      }),
    close: () => database.close(),
  }
}

function freeAt(now: number, windowMs: number): number {
  return Math.ceil((now + windowMs) / grain) * grain
}
