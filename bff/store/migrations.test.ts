import { DatabaseSync } from "node:sqlite"
import { expect, it } from "vitest"
import { readClock, inProcessBus, type Engine } from "./engine.ts"
import { budgetStore } from "./budget-store.ts"
import { quietLog } from "../../tests/support/quiet-log.ts"
import { migrate } from "./migrations.ts"
import { kyselyOver } from "./sqlite.ts"

function opened(): { database: DatabaseSync; engine: Engine } {
  const database = new DatabaseSync(":memory:")
  const db = kyselyOver(database)
  const lock: Engine["lock"] = (within) => readClock("sqlite", within)
  const budget = budgetStore({ db, lock })
  const now = () => readClock("sqlite", db)
  const close = () => db.destroy()
  return { database, engine: { kind: "sqlite", db, bus: inProcessBus(quietLog), budget, lock, now, close } }
}

it("opens a store again as it is", async () => {
  const { database, engine } = opened()
  await migrate(engine)
  database.exec("insert into setting (name, value) values ('program', '{}')")
  await migrate(engine)
  expect(database.prepare("select name from setting").all()).toEqual([{ name: "program" }])
})

it("refuses a store that a newer version changed", async () => {
  const { database, engine } = opened()
  await migrate(engine)
  database.exec("insert into kysely_migration (name, timestamp) values ('0999-later', '2030-01-01')")
  await expect(migrate(engine)).rejects.toThrow('does not know "0999-later"')
})
