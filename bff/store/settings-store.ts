import type { SettingsStore } from "../../core/ports.ts"
import type { Engine } from "./engine.ts"

/** Settings documents as JSON; the core checks them against their schemas. */
export function settingsStore(engine: Engine): SettingsStore {
  return {
    get: async (name) => {
      const row = await engine.db
        .selectFrom("setting")
        .select("value")
        .where("name", "=", name)
        .executeTakeFirst()
      return row === undefined ? undefined : JSON.parse(row.value)
    },
    put: async (name, value) => {
      const text = JSON.stringify(value)
      await engine.db
        .insertInto("setting")
        .values({ name, value: text })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: text }))
        .execute()
    },
  }
}
