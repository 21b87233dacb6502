import { sql } from "kysely"
import { type Migration, Migrator } from "kysely/migration"
import { type Engine, StoreRefused } from "./engine.ts"
import { budgetTakers, first, readiness, security } from "./migrations/app-tables.ts"
import {
  amounts,
  cardReferences,
  cards,
  jobs,
  restore,
  rowEdits,
  sameRows,
  withoutReference,
} from "./migrations/job-tables.ts"

/** Every step, by the name under which a store remembers it. */
function stepsOf(kind: Engine["kind"]): Record<string, Migration> {
  return {
    "0001-first": { up: (db) => first(db, kind) },
    "0002-jobs": { up: (db) => jobs(db, kind) },
    "0003-cards": { up: (db) => cards(db) },
    "0004-restore": { up: (db) => restore(db) },
    "0005-same-rows": { up: (db) => sameRows(db, kind) },
    "0006-card-references": { up: (db) => cardReferences(db) },
    "0007-amounts": { up: (db) => amounts(db) },
    "0008-security": { up: (db) => security(db) },
    "0009-budget-takers": { up: (db) => budgetTakers(db) },
    "0009-readiness": { up: (db) => readiness(db) },
    "0010-row-edits": { up: (db) => rowEdits(db) },
    "0011-without-reference": { up: (db) => withoutReference(db, kind) },
  }
}

/**
 * Brings the store to the shape this version works with. Two instances may start at once: the second waits for the
 * first. Throws what the database said when a step fails; nothing of that step stays.
 * @throws StoreRefused for a store that a newer version changed
 */
export async function migrate(engine: Engine): Promise<void> {
  const steps = stepsOf(engine.kind)
  const newer = (await stepsTaken(engine)).filter((name) => !Object.hasOwn(steps, name))
  if (newer.length > 0) {
    throw new StoreRefused(
      `The store was written by a newer version of Laurel: this one does not know ${newer.map((name) => `"${name}"`).join(", ")}. Nothing was changed. Start the newer version again, or restore a back-up made before it was installed.`,
    )
  }
  const migrator = new Migrator({
    db: engine.db,
    provider: { getMigrations: async () => steps },
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}

/** Names of the steps that the store went through; none for a new one. */
async function stepsTaken(engine: Engine): Promise<string[]> {
  const tables = await engine.db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === "kysely_migration")) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(engine.db)
  return rows.map(({ name }) => name)
}
