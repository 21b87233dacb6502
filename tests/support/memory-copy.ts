import { DatabaseSync } from "node:sqlite"
import { openCopyStore } from "../../bff/copy/copy-store.ts"
import { kyselyOver } from "../../bff/store/sqlite.ts"
import type { CopyStore } from "../../core/copy/copy-store.ts"
import type { Clock } from "../../core/ports.ts"
import { secondsOf } from "./memory-store.ts"

/** An empty local copy in memory, on a test's clock. */
export async function createMemoryCopy(clock: Pick<Clock, "now">): Promise<CopyStore> {
  const database = new DatabaseSync(":memory:")
  database.function("unixepoch", { varargs: true }, secondsOf(new WeakRef(clock)))
  const db = kyselyOver(database)
  return openCopyStore({ kind: "memory", dialect: "sqlite", db, close: () => db.destroy() })
}
