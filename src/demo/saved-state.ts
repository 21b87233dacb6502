import { createStore, del, get, set, type UseStore } from "idb-keyval"
import * as z from "zod/mini"
import { createSandbox, type Sandbox } from "../../sandbox/app.ts"
import { baseRecord } from "../../sandbox/restore.ts"
import { keptAccounts } from "./demo-accounts.ts"

/** A record the sandbox changed, as it hands them out. `value` null: it is gone. */
const savedChange = z.object({ kind: z.string(), id: z.string(), value: z.unknown() })
/** A record the sandbox changed. */
type SavedChange = z.output<typeof savedChange>

/**
 * Everything the demo keeps between visits. No secret is in it: no password, no token, no digital code, no redeem
 * link. The sandbox's changes and the store are checked by those who take them over.
 */
export const savedState = z.strictObject({
  /** Another version is not read: the demo then starts afresh and says so. */
  version: z.literal(2),
  accounts: keptAccounts,
  /** Id of who is signed in. */
  session: z.nullable(z.string()),
  /** Ids of the faults that are switched on. */
  faults: z.array(z.string()),
  sandbox: z.array(savedChange),
  /** The desk's own database as a file. */
  store: z.instanceof(Uint8Array),
})
/** Everything the demo keeps between visits. */
export type SavedState = z.output<typeof savedState>

const name = "laurel-demo"
const key = "state"

/** Where the demo's state is kept in this browser. */
export interface StateFile {
  /** What was saved last, unchecked; undefined when nothing was, or when the browser keeps nothing. */
  read(): Promise<unknown>
  /** False: the browser does not keep it. */
  write(state: SavedState): Promise<boolean>
  remove(): Promise<void>
}

/** The state in IndexedDB. A browser that blocks it is no fault: a reload then begins afresh, and the panel says so. */
export function openStateFile(): StateFile {
  let store: UseStore | undefined
  const opened = (): UseStore => (store ??= createStore(name, "state"))
  return {
    async read() {
      try {
        return await get<unknown>(key, opened())
      } catch {
        return undefined
      }
    },
    async write(state) {
      try {
        await set(key, state, opened())
        return true
      } catch {
        return false
      }
    },
    async remove() {
      try {
        await del(key, opened())
      } catch {
        // A damaged database goes as a whole, once this page has let go of it.
        indexedDB.deleteDatabase(name)
      }
    },
  }
}

/** Saves soon after something changed, and at once when that is asked for. */
interface Saver {
  /** Something changed that can wait a moment. */
  soon(): void
  /** Saves and resolves when it is kept. */
  now(): Promise<void>
  /** Saves nothing from now on. */
  stop(): void
}

const quietMs = 500

/** Makes one over `save`. Saves run one after the other, so an older state never overwrites a newer one. */
export function createSaver(save: () => Promise<void>): Saver {
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
    soon() {
      timer ??= setTimeout(() => void now(), quietMs)
    },
    now,
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

/** Every change to the sandbox since its seed, each record once, without its secrets. */
export interface ChangeRecorder {
  /** All changes by now. */
  all(): SavedChange[]
}

/** Keeps the changes of a sandbox; `earlier` are those it was restored with. */
export function createChangeRecorder(sandbox: Sandbox, earlier: readonly SavedChange[]): ChangeRecorder {
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

const order = z.looseObject({ code: z.nullable(z.string()) })

/** An order without its digital code, which opens something; other records hold no secret. */
function withoutCode(change: SavedChange): SavedChange {
  if (change.kind !== "order") return change
  const parsed = order.safeParse(change.value)
  return parsed.success ? { ...change, value: { ...parsed.data, code: null } } : change
}
