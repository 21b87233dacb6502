import { createStore, del, get, set, type UseStore } from "idb-keyval"
import type { SavedState } from "./saved-state.ts"

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
