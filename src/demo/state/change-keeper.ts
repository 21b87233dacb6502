import * as z from "zod/mini"
import { createSandbox, type Sandbox } from "../../../sandbox/app.ts"
import { baseRecord } from "../../../sandbox/restore.ts"
import type { SavedChange } from "./saved-state.ts"

/** Every change to the sandbox since its seed, each record once, without its secrets. */
export interface ChangeKeeper {
  /** All changes by now. */
  all(): SavedChange[]
}

/** Keeps the changes of a sandbox; `earlier` are those it was restored with. */
export function createChangeKeeper(sandbox: Sandbox, earlier: readonly SavedChange[]): ChangeKeeper {
  const kept = new Map(earlier.map((change) => [keyOf(change), change]))
  return {
    all() {
      for (const change of sandbox.changes()) kept.set(keyOf(change), withoutCode(change))
      return [...kept.values()]
    },
  }
}

function keyOf({ kind, id }: SavedChange): string {
  return `${kind}\n${id}`
}

const order = z.looseObject({ code: z.nullable(z.string()) })

/** An order without its digital code, which opens something; other records hold no secret. */
function withoutCode(change: SavedChange): SavedChange {
  if (change.kind !== "order") return change
  const parsed = order.safeParse(change.value)
  return parsed.success ? { ...change, value: { ...parsed.data, code: null } } : change
}

/** Gives saved orders the codes of the seed again, which follow from it and are never kept. */
export function withSeededCodes(changes: readonly SavedChange[]): SavedChange[] {
  const base = baseRecord.safeParse(changes.find((change) => change.kind === "base")?.value)
  if (!base.success || !changes.some((change) => change.kind === "order")) return [...changes]
  const seeded = createSandbox({ seededAt: base.data.seededAt }).store.orders
  return changes.map((change) => {
    const parsed = order.safeParse(change.value)
    if (change.kind !== "order" || !parsed.success) return change
    return { ...change, value: { ...parsed.data, code: seeded.get(change.id)?.code ?? null } }
  })
}
