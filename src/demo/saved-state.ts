import { createStore, del, get, set, type UseStore } from "idb-keyval"
import * as z from "zod/mini"
import { createSandbox, type Sandbox } from "../../sandbox/app.ts"
import { baseRecord } from "../../sandbox/restore.ts"

/** A record the sandbox changed, as it hands them out. `value` null: it is gone. */
const savedChange = z.object({ kind: z.string(), id: z.string(), value: z.unknown() })
type SavedChange = z.output<typeof savedChange>

/**
 * Everything the demo keeps between visits. No secret is in it: no password, no token, no digital code, no redeem
 * link. The sandbox's changes and the store are checked by those who take them over.
 */
export const savedState = z.strictObject({
  /** Another version is not read: the demo then starts afresh and reports so. */
  version: z.literal(4),
  session: z.nullable(z.string()),
  sandbox: z.array(savedChange),
  store: z.instanceof(Uint8Array),
})
export type SavedState = z.output<typeof savedState>

const name = "laurel-demo"
const key = "state"
let opened: UseStore | undefined
const database = () => (opened ??= createStore(name, "state"))

/** The state in IndexedDB. A browser that blocks it is no fault: a reload then begins afresh, and the panel shows it. */
export const stateFile = {
  /** What was saved last, unchecked; undefined when nothing was, or when the browser keeps nothing. */
  async read(): Promise<unknown> {
    try {
      return await get<unknown>(key, database())
    } catch {
      return undefined
    }
  },
  /** False: the browser does not keep it. */
  async write(state: SavedState): Promise<boolean> {
    try {
      await set(key, state, database())
      return true
    } catch {
      return false
    }
  },
  async remove(): Promise<void> {
    try {
      await del(key, database())
    } catch {
      // A damaged database goes as a whole, once this page has let go of it.
      indexedDB.deleteDatabase(name)
    }
  },
}

const quietMs = 500

/** Saves soon after a change, and at once on demand, one after the other: an older state never overwrites a newer one. */
export function createSaver(save: () => Promise<void>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let running = Promise.resolve()
  let stopped = false
  const now = async () => {
    clearTimeout(timer)
    timer = undefined
    running = running.then(() => (stopped ? undefined : save()))
    await running
  }
  return {
    now,
    soon() {
      timer ??= setTimeout(() => void now(), quietMs)
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

/** Collects every change of a sandbox since its seed, each record once, without secrets; `earlier`: those it was restored with. */
export function changeRecorder(sandbox: Sandbox, earlier: readonly SavedChange[]): () => SavedChange[] {
  const keyOf = ({ kind, id }: SavedChange) => `${kind}\n${id}`
  const kept = new Map(earlier.map((change) => [keyOf(change), change]))
  return () => {
    for (const change of sandbox.changes()) kept.set(keyOf(change), withCode(change, null))
    return [...kept.values()]
  }
}

/** Gives saved orders the codes of the seed again, which follow from it and are never kept. */
export function withSeededCodes(changes: readonly SavedChange[]): SavedChange[] {
  const base = baseRecord.safeParse(changes.find((change) => change.kind === "base")?.value)
  if (!base.success || !changes.some((change) => change.kind === "order")) return [...changes]
  const seeded = createSandbox({ seededAt: base.data.seededAt }).store.orders
  return changes.map((change) => withCode(change, seeded.get(change.id)?.code ?? null))
}

const order = z.looseObject({ code: z.nullable(z.string()) })

/** An order with another digital code, which opens something; other records hold no secret. */
function withCode(change: SavedChange, code: string | null): SavedChange {
  const parsed = order.safeParse(change.value)
  return change.kind === "order" && parsed.success ? { ...change, value: { ...parsed.data, code } } : change
}
