import { sql } from "kysely"
import { apis, driftRow } from "../../contract/status.ts"
import type { DriftStore } from "../../core/ports.ts"
import type { Engine } from "./engine.ts"

/** Which differences from the documents were seen, how often, first and last. */
export function driftStore(engine: Engine): DriftStore {
  return {
    add: (rows, at) =>
      engine.db.transaction().execute(async (within) => {
        for (const row of rows.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))) {
          await within
            .insertInto("drift")
            .values({
              api: row.api,
              operation: row.operation,
              field: row.field,
              said: row.said,
              came: row.came,
              seen: row.seen,
              first_at: at,
              last_at: at,
            })
            .onConflict((conflict) =>
              conflict.columns(["api", "operation", "field", "said", "came"]).doUpdateSet({
                seen: sql`drift.seen + excluded.seen`,
                last_at: sql`case when drift.last_at > excluded.last_at
                  then drift.last_at else excluded.last_at end`,
              }),
            )
            .execute()
        }
      }),
    list: async () => {
      const rows = await engine.db
        .selectFrom("drift")
        .selectAll()
        .where("api", "in", apis)
        .orderBy("last_at", "desc")
        .orderBy("operation")
        .orderBy("field")
        .execute()
      return rows.map((row) =>
        driftRow.parse({
          ...row,
          first_at: new Date(row.first_at).toISOString(),
          last_at: new Date(row.last_at).toISOString(),
        }),
      )
    },
  }
}
