import type { Environment } from "../../contract/session.ts"
import type { Log } from "../../core/ports.ts"
import { preparePgBoss } from "../dispatch/pg-boss.ts"
import { type Engine, reasonOf, StoreRefused } from "./engine.ts"
import { migrate } from "./migrations.ts"
import { openPostgres } from "./postgres.ts"
import type { Database } from "./schema.ts"
import { openSqlite } from "./sqlite.ts"

export type StorePlace = { readonly databaseUrl: string } | { readonly file: string }

/** @throws StoreRefused when the store cannot be opened or reached */
export async function openEngine(place: StorePlace, log: Log): Promise<Engine> {
  try {
    return "file" in place ? openSqlite(place.file, log) : await openPostgres(place.databaseUrl, log)
  } catch (error) {
    const reason = reasonOf(error)
    throw new StoreRefused(
      "file" in place
        ? `The store ${place.file} cannot be opened: ${reason}. Check DATA_DIR and its permissions.`
        : `The database of DATABASE_URL (${databaseName(place.databaseUrl)}) cannot be used: ${reason}. Start the database or correct DATABASE_URL, then start again.`,
      { cause: error },
    )
  }
}

/** The database of an address by host and name, without user and password. */
export function databaseName(databaseUrl: string): string {
  const url = URL.parse(databaseUrl)
  // A slash in the password makes the rest of it the path.
  return url === null || url.pathname.includes("@") ? "unreadable address" : `${url.host}${url.pathname}`
}

/** What a store is used for. An address that is not connected is null. */
export interface Stamp {
  readonly environment: Environment
  readonly programBaseUrl: string | null
  readonly giftcardBaseUrl: string | null
}

/** Brings the store up to date, checks what it is used for, and does the first work in it. @throws StoreRefused */
export async function prepareStore<T>(engine: Engine, stamp: Stamp, firstWork: () => Promise<T>): Promise<T> {
  try {
    await migrate(engine)
    const move = await engine.db.selectFrom("store_move").selectAll().executeTakeFirst()
    if (move !== undefined) throw new StoreRefused(moveProblem(move))
    if (engine.kind === "postgres") await preparePgBoss(engine.patient)
    const problems = await stampStore(engine, stamp)
    if (problems.length > 0) throw new StoreRefused(problems.join("\n"))
    return await firstWork()
  } catch (error) {
    if (error instanceof StoreRefused) throw error
    throw new StoreRefused(
      `The store cannot be brought up to date: ${reasonOf(error)}. Nothing was started. Check that it is not full or read-only, then start again.`,
      { cause: error },
    )
  }
}

/** Why nothing starts on a store that was moved, or on the target of a move that has not ended. */
function moveProblem({ state, other, at }: Database["store_move"]): string {
  const time = `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`
  if (state === "moved")
    return `This store was moved to the database ${other} at ${time}; what was done since then is not in it. Nothing was started. Set DATABASE_URL to that database.`
  if (state === "filled")
    return `Everything of the store ${other} was copied to this database at ${time}, but the move was interrupted before its end. Nothing was started. If ${other} still starts, use it, delete this database and repeat the move with an empty one; if it says that it was moved, repeat the move with this database: it only finishes.`
  return `This database is being filled from the store ${other} since ${time}, or that move was interrupted. Nothing was started. If no move is running any more, use ${other}, delete this database, create it again, empty, and repeat the move.`
}

/**
 * Stamps the store at its first use with the environment and both base addresses, and compares at every later one.
 * Returns a sentence for each value that disagrees. An address that was left out before may be added, and one may be
 * left out; it can never become another one, because what is stored here belongs to that service.
 */
export async function stampStore(engine: Engine, wanted: Stamp): Promise<string[]> {
  return engine.db.transaction().execute(async (within) => {
    const now = await engine.lock(within, "stamp")
    const found = await within.selectFrom("stamp").selectAll().executeTakeFirst()
    const row = {
      environment: wanted.environment,
      program_base_url: wanted.programBaseUrl ?? found?.program_base_url ?? null,
      giftcard_base_url: wanted.giftcardBaseUrl ?? found?.giftcard_base_url ?? null,
    }
    if (found === undefined) {
      await within
        .insertInto("stamp")
        .values({ id: 1, ...row, stamped_at: now })
        .execute()
      return []
    }
    const problems = (["environment", "program_base_url", "giftcard_base_url"] as const).flatMap((name) => {
      const [stored, given] = [found[name], row[name]]
      if (stored === null || stored === given) return []
      return `${name.toUpperCase()} is ${given}, but this store was first used with ${stored}. Use the store made for ${given} (another DATA_DIR or DATABASE_URL), or set ${name.toUpperCase()} back.`
    })
    if (problems.length === 0) await within.updateTable("stamp").set(row).execute()
    return problems
  })
}
