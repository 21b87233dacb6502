import { valueAt } from "../../contract/drift.ts"
import type { Cache, CachedResponse } from "../cache/cache.ts"
import { encodeId, operationById } from "../match.ts"
import type { ReadOperation } from "../policy.ts"
import { keyOf } from "./upstream-read.ts"

interface SeedPlan {
  /** Field of a row that names it. */
  readonly idField: string
  readonly api: ReadOperation["api"]
  /** Whether a row carries everything that the record itself always has; a list may leave some of it out. */
  readonly isComplete: (row: unknown) => boolean
  /** The path before and after the id. */
  readonly before: string
  readonly after: string
  /** Tags with the id still to be filled in, in the pieces it stands between. */
  readonly tags: readonly (readonly string[])[]
}

/** Keeps each row of a list of complete records as the cached response for that one record. */
export interface Seeder {
  seed(operation: ReadOperation, list: CachedResponse): void
}

/** Makes the seeder of a cache. */
export function createSeeder(cache: Cache): Seeder {
  // Worked out once for each list: a page of rows is seeded with every answer.
  const plans = new Map<string, SeedPlan | undefined>()

  function planOf(operation: ReadOperation): SeedPlan | undefined {
    if (plans.has(operation.id)) return plans.get(operation.id)
    const plan = makePlan(operation)
    plans.set(operation.id, plan)
    return plan
  }

  return {
    seed(operation, list) {
      const plan = planOf(operation)
      if (plan === undefined || !Array.isArray(list.data)) return
      const rows: readonly unknown[] = list.data
      const size = Math.ceil(list.size / Math.max(1, rows.length))
      for (const row of rows) {
        const id: unknown =
          typeof row === "object" && row !== null ? Reflect.get(row, plan.idField) : undefined
        const segment = typeof id === "string" ? encodeId(id) : undefined
        // A row whose id no address can hold has no page to warm.
        if (typeof id !== "string" || segment === undefined || !plan.isComplete(row)) continue
        cache.put(keyOf(plan.api, `${plan.before}${segment}${plan.after}`, ""), {
          ...list,
          data: row,
          meta: undefined,
          tags: plan.tags.map((pieces) => pieces.join(id)),
          size,
          views: new Map(),
        })
      }
    },
  }
}

function makePlan({ seeds, api }: ReadOperation): SeedPlan | undefined {
  if (seeds === undefined) return undefined
  const target = operationById(seeds.operation)
  const [before = "", param = "", after = ""] = target.path.split(/[{}]/)
  const tags = target.kind === "read" ? (target.tags ?? []) : []
  const isComplete = (row: unknown) =>
    target.kind === "read" &&
    (target.reader.documented
      .safeParse(row)
      .error?.issues.every(({ path }) => (valueAt(row, path) ?? null) !== null) ??
      true)
  return {
    idField: seeds.id,
    api,
    isComplete,
    before,
    after,
    tags: tags.map((tag) => tag.split(`{${param}}`)),
  }
}
