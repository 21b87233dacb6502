import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { quietLog } from "./quiet-log.ts"
import { startPostgres, type TestPostgres } from "./postgres.ts"
import type { Engine } from "../../bff/store/engine.ts"
import { migrate } from "../../bff/store/migrations.ts"
import { openEngine, type StorePlace } from "../../bff/store/open-store.ts"
import { sqlStore } from "../../bff/store/sql-store.ts"
import type { StoreUnderTest } from "../store/store-suite.ts"

/** Stores for a test file; removed afterwards. */
export function testPlaces() {
  const folder = mkdtempSync(join(tmpdir(), "laurel-store-"))
  let postgres: TestPostgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  let files = 0
  return {
    newFile: async (): Promise<StorePlace> => ({ file: join(folder, `store-${++files}.db`) }),
    newDatabase: async () => ({ databaseUrl: await postgres.createDatabase() }),
    /** Terminates every connection to a database, as a server restart does. */
    cutConnections: (databaseUrl: string) => postgres.cutConnections(databaseUrl),
  }
}

/** Two instances of one store, migrated concurrently while it was empty. */
export async function openTwice(place: StorePlace): Promise<[Engine, Engine]> {
  const engines: [Engine, Engine] = [await openEngine(place, quietLog), await openEngine(place, quietLog)]
  await Promise.all(engines.map(migrate))
  return engines
}

/** Two instances of one store as core ports. */
export async function twoStores(place: StorePlace): Promise<StoreUnderTest> {
  const [one, other] = await openTwice(place)
  const close = async () => {
    await one.close()
    await other.close()
  }
  return { one: sqlStore(one), other: sqlStore(other), close }
}
