import { sql } from "kysely"
import {
  type CopyStore,
  copyStamp,
  noOrderProgress,
  noProgress,
  orderProgress,
  syncProgress,
} from "../../core/copy/copy-store.ts"
import { clockSql } from "../store/engine.ts"
import { copyReports } from "./copy-reports.ts"
import { ledgerCopy, ledgerTable } from "./ledger-table.ts"
import { memberCopy, memberTable } from "./member-table.ts"
import { orderCopy, orderTable } from "./order-table.ts"
import { type CopyPlace, copyTable, schema } from "./record-table.ts"
import { rewardCopy, rewardTable } from "./reward-table.ts"

/** A copy of another version is emptied and filled again. */
const version = "6"

/** The copy in SQLite or PostgreSQL: the same statements. @throws Error where its tables cannot be made */
export async function openCopyStore(place: CopyPlace): Promise<CopyStore> {
  const { db, kind } = place
  const [members, orders] = [memberTable(place), orderTable(place)]
  const [rewards, ledgers] = [rewardTable(place), ledgerTable(place, members)]
  const tables = [members, orders, rewards, ledgers]
  const state = copyTable(place, "state")
  await prepare(place, tables, state)

  const readState = async (name: string): Promise<unknown> => {
    const { rows } = await sql<{ value: string }>`
      select value from ${state} where name = ${name}`.execute(db)
    return rows[0] === undefined ? undefined : JSON.parse(rows[0].value)
  }
  const writeState = async (name: string, value: unknown): Promise<void> => {
    await sql`insert into ${state} (name, value) values (${name}, ${JSON.stringify(value)})
      on conflict (name) do update set value = excluded.value`.execute(db)
  }
  return {
    kind,
    members: {
      ...memberCopy(place, members),
      drop: async (ids, asOf) => {
        await members.drop(ids, asOf)
        await ledgers.forgetDeleted(ids)
      },
      progress: async () => syncProgress.safeParse(await readState("members")).data ?? noProgress,
      setProgress: (progress) => writeState("members", progress),
    },
    orders: {
      ...orderCopy(place, orders, members),
      progress: async () => orderProgress.safeParse(await readState("orders")).data ?? noOrderProgress,
      setProgress: (progress) => writeState("orders", progress),
    },
    rewards: {
      ...rewardCopy(place, rewards),
      progress: async () => syncProgress.safeParse(await readState("rewards")).data ?? noProgress,
      setProgress: (progress) => writeState("rewards", progress),
    },
    ledgers: ledgerCopy(place, ledgers, members),
    reports: copyReports(place, { members, orders, rewards, ledgers }),
    now: () => now(place),
    stamp: async () => copyStamp.safeParse(await readState("stamp")).data,
    setStamp: (stamp) => writeState("stamp", stamp),
    clear: () =>
      db.transaction().execute(async (within) => {
        for (const table of tables) await table.clear(within)
        await sql`delete from ${state} where name <> 'version'`.execute(within)
      }),
    tidy: async (deletedBefore) => {
      const at = await now(place)
      for (const table of tables) await table.tidy(deletedBefore, at)
    },
    close: place.close,
  }
}

async function now({ db, dialect }: CopyPlace): Promise<number> {
  const { rows } = await sql<{ now: number }>`select ${clockSql[dialect]} as now`.execute(db)
  return rows[0]?.now ?? Date.now()
}

/** Makes the tables; those of another version are replaced. */
async function prepare(
  { db, dialect }: CopyPlace,
  tables: readonly { readonly create: (within: CopyPlace["db"]) => Promise<void> }[],
  state: ReturnType<typeof copyTable>,
): Promise<void> {
  await db.transaction().execute(async (within) => {
    if (dialect === "postgres") {
      await sql`select pg_advisory_xact_lock(hashtextextended('laurel copy', 0))`.execute(within)
      // A database administrator may have created the schema for a role that cannot.
      const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(within)
      if (rows.length === 0) await sql`create schema ${sql.ref(schema)}`.execute(within)
    }
    await sql`create table if not exists ${state} (name text primary key, value text not null)`.execute(
      within,
    )
    const found = await sql<{ value: string }>`
      select value from ${state} where name = 'version'`.execute(within)
    if (found.rows[0]?.value === version) return
    await sql`delete from ${state}`.execute(within)
    for (const table of tables) await table.create(within)
    await sql`insert into ${state} (name, value) values ('version', ${version})`.execute(within)
  })
}
