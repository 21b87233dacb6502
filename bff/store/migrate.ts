import { Migrator } from "kysely/migration"
import type { Engine } from "./engine.ts"
import { first } from "./migrations/0001-first.ts"
import { jobs } from "./migrations/0002-jobs.ts"
import { cards } from "./migrations/0003-cards.ts"
import { restore } from "./migrations/0004-restore.ts"
import { sameRows } from "./migrations/0005-same-rows.ts"
import { cardReferences } from "./migrations/0006-card-references.ts"
import { security } from "./migrations/0008-security.ts"
import { budgetTakers } from "./migrations/0009-budget-takers.ts"
import { amounts } from "./migrations/0007-amounts.ts"
import { rowEdits } from "./migrations/0010-row-edits.ts"

/**
 * Brings the store to the shape this version works with. Two instances may start at once: the second waits for the
 * first. Throws what the database said when a step fails; nothing of that step stays.
 */
export async function migrate(engine: Engine): Promise<void> {
  const migrator = new Migrator({
    db: engine.db,
    // Steps are made side by side and each only adds: one with an earlier name may come to a store later.
    allowUnorderedMigrations: true,
    provider: {
      getMigrations: async () => ({
        "0001-first": { up: (db) => first(db, engine.kind) },
        "0002-jobs": { up: (db) => jobs(db, engine.kind) },
        "0003-cards": { up: (db) => cards(db) },
        "0004-restore": { up: (db) => restore(db) },
        "0005-same-rows": { up: (db) => sameRows(db, engine.kind) },
        "0006-card-references": { up: (db) => cardReferences(db) },
        "0008-security": { up: (db) => security(db) },
        "0009-budget-takers": { up: (db) => budgetTakers(db) },
        "0007-amounts": { up: (db) => amounts(db) },
        "0010-row-edits": { up: (db) => rowEdits(db) },
      }),
    },
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}
