import { externalValue, type ExternalValue } from "../../../../lib/external-value.ts"
import type { OutboxChange } from "./outbox-changes.ts"
import { openOutboxStore, type OutboxStore } from "./outbox-store.ts"
import type { OutboxData } from "./parcel.ts"

/** One person's outbox, the same in every tab of this browser. */
export interface Outbox {
  readonly userId: string
  /** False: the browser keeps nothing, so a reload loses it. */
  readonly durable: boolean
  readonly data: ExternalValue<OutboxData>
  /** Reads what other tabs made of it. */
  refresh(): Promise<OutboxData>
  /** Changes what is kept; when it answers, the change is kept. @throws Error when it could not be kept */
  change(change: OutboxChange): Promise<OutboxData>
  close(): void
}

/** Opens the outbox of a person. @throws Error when what the browser kept cannot be read */
export async function openOutbox(userId: string, opened?: OutboxStore): Promise<Outbox> {
  const store = opened ?? (await openOutboxStore(userId))
  const data = externalValue(await store.read())
  const channel = new BroadcastChannel(`laurel-outbox-${userId}`)
  /** Tells those who follow only when something is another way: each read makes new objects. */
  const take = (read: OutboxData) => {
    if (JSON.stringify(read) !== JSON.stringify(data.get())) data.set(read)
    return data.get()
  }
  const refresh = async () => take(await store.read())
  channel.addEventListener("message", () => void refresh())
  return {
    userId,
    durable: store.durable,
    data,
    refresh,
    async change(change) {
      const before = data.get()
      const changed = take(await store.change(change))
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches one origin only
      if (changed !== before) channel.postMessage("changed")
      return changed
    },
    close: () => channel.close(),
  }
}
