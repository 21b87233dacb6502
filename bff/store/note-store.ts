import { note } from "../../contract/notes.ts"
import type { NoteStore } from "../../core/ports.ts"
import type { Engine } from "./engine.ts"

/** Notes of ours on records; a save succeeds only on the version it was made from. */
export function noteStore(engine: Engine): NoteStore {
  return {
    get: async (kind, id) => {
      const row = await engine.db
        .selectFrom("note")
        .selectAll()
        .where("kind", "=", kind)
        .where("id", "=", id)
        .executeTakeFirst()
      return row === undefined ? undefined : note.parse(row)
    },
    save: async (next) => {
      const values = {
        text: next.text,
        version: next.version,
        saved_at: next.saved_at,
        saved_by: next.saved_by,
      }
      if (next.version === 1) {
        const made = await engine.db
          .insertInto("note")
          .values({ kind: next.kind, id: next.id, ...values })
          .onConflict((conflict) => conflict.columns(["kind", "id"]).doNothing())
          .executeTakeFirst()
        return made.numInsertedOrUpdatedRows === 1n
      }
      const changed = await engine.db
        .updateTable("note")
        .set(values)
        .where("kind", "=", next.kind)
        .where("id", "=", next.id)
        .where("version", "=", next.version - 1)
        .executeTakeFirst()
      return changed.numUpdatedRows === 1n
    },
  }
}
