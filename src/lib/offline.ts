import { clear, createStore, get, set } from "idb-keyval"
import * as z from "zod/mini"
import { documentedOrder } from "../../contract/program/order.ts"
import { type Session, session } from "../../contract/session.ts"
import { readStored } from "./browser-storage.ts"
import { type LastRead, lastReads, mostReads } from "./last-reads.ts"

/** How long a signed-in user can open the app offline, in ms. */
const personFor = 24 * 3_600_000
const storedPerson = z.object({ at: z.number(), session })
const keptReads = z.object({
  userId: z.string(),
  reads: z.array(z.tuple([z.string(), z.object({ text: z.string(), at: z.number() })])),
})
const orders = z.looseObject({ data: z.array(z.looseObject({})) })
/** The list has a shipment's number and carrier as separate fields (docs/api/program.md, Order). */
const listFields = new Set(documentedOrder.filter((name) => name !== "fulfillment"))

let database: ReturnType<typeof createStore> | undefined
const store = () => (database ??= createStore("laurel-offline", "reads"))
const key = "last"

/** The user who was signed in within the last day, without name and e-mail; undefined if the browser stores nothing. */
function person(): Session | undefined {
  const stored = readStored(lastReads.personKey, storedPerson)
  return stored && Date.now() - stored.at < personFor ? stored.session : undefined
}

/**
 * Enables opening the app offline: the service worker caches its files, and the last responses for orders, rewards and
 * carriers are stored here, without personal data.
 */
export async function saveForOffline(userId: string): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const save = async () => {
    timer = undefined
    // The user may have signed out in another tab.
    if (person()?.user.id !== userId) return
    try {
      const read = [...lastReads.all].map(
        ([address, last]) => [address, withoutPeople(address, last)] as const,
      )
      const all = [...new Map([...(await readsOf(userId)), ...read])]
      const newest = all.toSorted(([, a], [, b]) => b.at - a.at).slice(0, mostReads)
      await set(key, { userId, reads: newest }, store())
    } catch {
      // Without storage the app cannot be opened offline.
    }
  }
  lastReads.changed = () => {
    timer ??= setTimeout(() => void save(), 1000)
  }
  if (lastReads.all.size > 0) void save()
  // Undefined on insecure origins, despite the types.
  const worker: ServiceWorkerContainer | undefined = navigator.serviceWorker
  await worker?.register("/sw.js", { updateViaCache: "none" })
}

/** Orders with documented fields only: undocumented ones might contain personal data. */
function withoutPeople(address: string, { text, at }: LastRead): LastRead {
  if (!address.includes("/orders?")) return { text, at }
  const { data, ...rest } = orders.parse(JSON.parse(text))
  const known = data.map((order) =>
    Object.fromEntries(Object.entries(order).filter(([name]) => listFields.has(name))),
  )
  return { text: JSON.stringify({ ...rest, data: known }), at }
}

/** The session for opening offline; stored responses are used until there is a connection. */
export function earlierSession(): Session | undefined {
  const found = person()
  if (found === undefined) return undefined
  lastReads.earlier = async (address) => new Map(await readsOf(found.user.id)).get(address)
  return found
}

/** A user's stored responses by URL; undefined without storage. */
async function readsOf(userId: string) {
  try {
    const { userId: whose, reads } = keptReads.parse(await get(key, store()))
    return whose === userId ? reads : []
  } catch {
    return []
  }
}

/** Deletes the stored responses, on signing out. */
export async function forgetReads(): Promise<void> {
  try {
    await clear(store())
  } catch {
    // Nothing is stored there.
  }
}
