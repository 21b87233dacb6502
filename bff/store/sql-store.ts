import type { Store } from "../../core/ports.ts"
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

/** As much as a small write of the desk's own takes: with less room there is none for work either. */
const filler = "-".repeat(32_768)

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
      await engine.checkRoom?.()
      await engine.db
        .insertInto("readiness")
        .values({ id: 1, filler })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ filler }))
        .execute()
    },
    close: () => engine.close(),
  }
}
