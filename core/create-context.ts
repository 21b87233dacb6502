import { createAuditLog } from "./audit-log.ts"
import { createBudget } from "./budget/budget.ts"
import { createCache } from "./cache/cache.ts"
import type { DeskContext, DeskDeps } from "./context.ts"
import { createDriftLog } from "./gateway/drift-log.ts"
import { createReads } from "./gateway/reads.ts"
import { createServiceCaller } from "./gateway/service-call.ts"
import { createJobs } from "./jobs/create-jobs.ts"
import { createKeyedLock } from "./keyed-lock.ts"
import { createNames } from "./members/member-names.ts"
import { createNameBook } from "./members/name-book.ts"
import { createNameFinder } from "./members/name-finder.ts"
import { createMemberVersions } from "./members/versions.ts"
import { createFreshCodes } from "./orders/fresh-codes.ts"
import { createNumbersInJobs } from "./orders/numbers-in-jobs.ts"
import { createNumberBook } from "./orders/used-numbers.ts"
import { createSettings } from "./resources/settings.ts"
import { createMonitor } from "./status/monitor.ts"

/** Bounds of the read cache: pages of 100 rows and their rows, in some 64 MB. */
const cacheBounds = { entries: 20_000, bytes: 64_000_000 }

/** Puts the desk's parts together. */
export function createContext(deps: DeskDeps): DeskContext {
  const { config, store, upstream, clock, events, metrics } = deps
  const { program, giftcard } = config.apis
  const limits = {
    ...(program !== null && { program: program.rateLimit }),
    ...(giftcard !== null && { giftcard: giftcard.rateLimit }),
  }
  const budget = createBudget({ limits, store, clock, events, metrics })
  const monitor = createMonitor()
  const settings = createSettings(store.settings, events, clock, config.settings)
  const drift = createDriftLog(store.drift, clock)
  const caller = createServiceCaller({
    budget,
    upstream,
    clock,
    metrics,
    monitor,
    connected: (api) => config.apis[api] !== null,
  })
  const versions = createMemberVersions()
  const cache = createCache(cacheBounds, (copy, by) => versions.remember(copy.data, by?.data))
  const reads = createReads({ caller, clock, drift, settings, metrics, cache })
  const audit = createAuditLog(store.audit, events, clock, deps.log)
  const codes = createFreshCodes(clock)
  const book = createNameBook(reads, clock)
  const finder = createNameFinder({ budget, caller, clock, drift, events, log: deps.log, book })
  const inJobs = createNumbersInJobs(store.jobs, clock)
  const shared = { audit, caller, codes, drift, reads, settings }
  return {
    ...deps,
    jobs: createJobs({ ...deps, ...shared }),
    audit,
    budget,
    caller,
    codes,
    drift,
    monitor,
    names: createNames(book, finder),
    numbers: createNumberBook(inJobs, () => reads.copiesOf("orders")),
    reads,
    settings,
    versions,
    locks: createKeyedLock(),
  }
}
