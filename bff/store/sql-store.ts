import { sql } from "kysely"
import type { Store } from "../core/ports.ts"
import { auditStore } from "./audit-store.ts"
import { cardStore } from "./card-store.ts"
import { driftStore } from "./drift-store.ts"
import type { Engine } from "./engine.ts"
import { instanceStore } from "./instance-store.ts"
import { jobStore } from "./job-store.ts"
import { noteStore } from "./note-store.ts"
import { restoreStore } from "./restore-store.ts"
import { settingsStore } from "./settings-store.ts"
import { usageStore } from "./usage-store.ts"

/** Everything durable of the core, in SQL, on either engine. */
export function sqlStore(engine: Engine): Store {
  return {
    kind: engine.kind,
    budget: engine.budget,
    usage: usageStore(engine),
    drift: driftStore(engine),
    audit: auditStore(engine),
    notes: noteStore(engine),
    cards: cardStore(engine),
    settings: settingsStore(engine),
    jobs: jobStore(engine),
    instances: instanceStore(engine),
    restores: restoreStore(engine),
    ping: async () => {
      await sql`select 1`.execute(engine.db)
    },
    close: () => engine.close(),
  }
}
