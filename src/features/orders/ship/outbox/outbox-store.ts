import { createStore, get, update, type UseStore } from "idb-keyval"
import type { OutboxChange } from "./outbox-changes.ts"
import { emptyOutbox, outboxData, type OutboxData } from "./parcel.ts"

/** Where one person's outbox is kept. */
export interface OutboxStore {
  /** False: it lasts as long as the page. */
  readonly durable: boolean
  /** @throws Error when what is kept cannot be read: nothing of it is ever guessed at or written over */
  read(): Promise<OutboxData>
  /** Changes it in one transaction, so that two tabs never lose each other's parcels. @throws as `read` */
  change(change: OutboxChange): Promise<OutboxData>
}

let database: UseStore | undefined

/** The outbox of a person in this browser; in memory where the browser keeps nothing. */
export async function openOutboxStore(userId: string): Promise<OutboxStore> {
  try {
    database ??= createStore("laurel-ship-desk", "outbox")
    await get(userId, database)
    return storedOutbox(userId, database)
  } catch {
    database = undefined
    return passingOutbox()
  }
}

/** An outbox that goes with the page: where the browser keeps nothing, and for tests. */
export function passingOutbox(): OutboxStore {
  let data = emptyOutbox
  return {
    durable: false,
    read: async () => data,
    async change(change) {
      data = change(data)
      return data
    },
  }
}

function storedOutbox(userId: string, store: UseStore): OutboxStore {
  return {
    durable: true,
    read: async () => parse(await get<unknown>(userId, store)),
    async change(change) {
      let changed = emptyOutbox
      await update<unknown>(
        userId,
        (kept) => {
          changed = change(parse(kept))
          return changed
        },
        store,
      )
      return changed
    },
  }
}

function parse(kept: unknown): OutboxData {
  return kept === undefined ? emptyOutbox : outboxData.parse(kept)
}
