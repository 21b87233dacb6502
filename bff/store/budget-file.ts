import { DatabaseSync } from "node:sqlite"
import * as z from "zod/mini"
import type { Api } from "../../contract/status.ts"
import { ownerOnly } from "./owner-only.ts"

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

/** A place that is held from one time until another, ms since 1970. */
interface Held {
  readonly now: number
  readonly until: number
}

/** The file in which taken places stand until they become free. Times in ms since 1970. */
export interface BudgetFile {
  /** Runs alone, whatever other process works on the file. */
  alone<T>(work: () => T): T
  /** Takes a place in one statement, if no more than `mayBusy` are taken and the service wants requests. */
  takeOne(api: Api, held: Held, mayBusy: number): boolean
  /** Takes a place in any case. */
  add(api: Api, until: number): void
  /** Gives a place back that was taken until then. */
  release(api: Api, until: number): void
  /**
   * Places that are taken. Those that became free are cleared away, and none stays longer than until `latest`: a clock
   * that was set back would hold them.
   */
  taken(api: Api, now: number, latest: number): number
  /** When the places become free, soonest first. */
  moments(api: Api): Iterable<{ readonly at: number; readonly places: number }>
  /** ms for which the service still wants nothing; never longer than it asked for, should the clock be set back. */
  blockedFor(api: Api, now: number): number
  block(api: Api, now: number, forMs: number): void
  close(): void
}

/**
 * Opens it. A write reaches the operating system, so that a killed process forgets nothing, but not the disk, which
 * every request would have to wait for: all a power cut loses is a minute's count.
 */
export function openBudgetFile(path: string): BudgetFile {
  ownerOnly(path)
  const database = new DatabaseSync(path, { timeout: 2000 })
  database.exec("pragma journal_mode = wal; pragma synchronous = normal;")
  database.exec(tables)
  const forget = database.prepare("delete from grant_moment where free_at <= ?")
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
  const takeOne = database.prepare(
    `insert into grant_moment (api, free_at, places)
     select :api, :free, 1
     where not exists (select 1 from block where api = :api and until_at > :now)
       and (select total(places) from grant_moment where api = :api and free_at > :now) <= :may
     on conflict (api, free_at) do update set places = places + excluded.places`,
  )
  const release = database.prepare(
    "update grant_moment set places = places - 1 where api = ? and free_at = ? and places > 0",
  )
  const blocked = database.prepare("select until_at, for_ms from block where api = ?")
  const block = database.prepare(
    `insert into block (api, until_at, for_ms) values (?, ?, ?)
     on conflict (api) do update set until_at = excluded.until_at, for_ms = excluded.for_ms`,
  )

  return {
    alone(work) {
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
    },
    takeOne: (api, { now, until }, mayBusy) =>
      takeOne.run({ api, now, free: rounded(until), may: mayBusy }).changes === 1,
    add: (api, until) => void add.run(api, rounded(until), 1),
    release: (api, until) => void release.run(api, rounded(until)),
    taken(api, now, latest) {
      forget.run(now)
      const held = sum.parse(late.get(api, rounded(latest))).places
      if (held > 0) {
        forgetLate.run(api, rounded(latest))
        add.run(api, rounded(latest), held)
      }
      return sum.parse(busy.get(api)).places
    },
    *moments(api) {
      for (const row of moments.iterate(api)) {
        const { free_at, places } = moment.parse(row)
        yield { at: free_at, places }
      }
    },
    blockedFor(api, now) {
      const row = blocked.get(api)
      if (row === undefined) return 0
      const { until_at, for_ms } = stop.parse(row)
      if (until_at > now + for_ms) block.run(api, now + for_ms, for_ms)
      return Math.max(0, Math.min(until_at - now, for_ms))
    },
    block: (api, now, forMs) => void block.run(api, now + forMs, forMs),
    close: () => database.close(),
  }
}

function rounded(at: number): number {
  return Math.ceil(at / grain) * grain
}
