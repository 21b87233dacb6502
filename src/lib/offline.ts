import { clear, createStore, get, set } from "idb-keyval"
import * as z from "zod/mini"
import { documentedOrder } from "../../contract/program/order.ts"
import { type Session, session } from "../../contract/users.ts"
import { readStored } from "./external-value.ts"
import { type LastRead, lastReads, mostReads } from "./last-reads.ts"

/** How long somebody who was signed in here may open the app without a connection, in ms. */
const personFor = 24 * 3_600_000
const keptPerson = z.object({ at: z.number(), session })
const keptReads = z.object({
  userId: z.string(),
  reads: z.array(z.tuple([z.string(), z.object({ text: z.string(), at: z.number() })])),
})
const orders = z.looseObject({ data: z.array(z.looseObject({})) })
/** Of a shipment the list has the number and the carrier beside it (docs/api/program.md, Order). */
const keptFields = new Set(documentedOrder.filter((name) => name !== "fulfillment"))

let database: ReturnType<typeof createStore> | undefined
const store = () => (database ??= createStore("laurel-offline", "reads"))
const key = "last"

/** Who was signed in here within the day, without name and e-mail. Nobody where the browser keeps nothing. */
function person(): Session | undefined {
  const kept = readStored(lastReads.personKey, keptPerson)
  return kept && Date.now() - kept.at < personFor ? kept.session : undefined
}

/**
 * From now on this browser opens the app without a connection: the service worker keeps its files, and here is kept what
 * a person's last reads of orders, rewards and carriers answered. Nothing of it names anybody.
 */
export async function saveForOffline(userId: string): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const save = async () => {
    timer = undefined
    // In another tab they may have signed out meanwhile.
    if (person()?.user.id !== userId) return
    try {
      const read = [...lastReads.all].map(
        ([address, last]) => [address, withoutPeople(address, last)] as const,
      )
      const all = [...new Map([...(await readsOf(userId)), ...read])]
      const newest = all.toSorted(([, a], [, b]) => b.at - a.at).slice(0, mostReads)
      await set(key, { userId, reads: newest }, store())
    } catch {
      // A browser that keeps nothing opens nothing without a connection.
    }
  }
  lastReads.changed = () => {
    timer ??= setTimeout(() => void save(), 1000)
  }
  if (lastReads.all.size > 0) void save()
  // Absent outside a secure page, whatever the types say.
  const worker: ServiceWorkerContainer | undefined = navigator.serviceWorker
  await worker?.register("/sw.js", { updateViaCache: "none" })
}

/** Orders with documented fields alone: what else a service may send is not known to name nobody. */
function withoutPeople(address: string, { text, at }: LastRead): LastRead {
  if (!address.includes("/orders?")) return { text, at }
  const { data, ...rest } = orders.parse(JSON.parse(text))
  const known = data.map((order) =>
    Object.fromEntries(Object.entries(order).filter(([name]) => keptFields.has(name))),
  )
  return { text: JSON.stringify({ ...rest, data: known }), at }
}

/** Who was signed in here; what they last read in this browser answers until there is a connection. */
export function earlierSession(): Session | undefined {
  const found = person()
  if (found === undefined) return undefined
  lastReads.earlier = async (address) => new Map(await readsOf(found.user.id)).get(address)
  return found
}

/** What is kept of a person's reads, by address; nothing where the browser keeps nothing. */
async function readsOf(userId: string) {
  try {
    const { userId: whose, reads } = keptReads.parse(await get(key, store()))
    return whose === userId ? reads : []
  } catch {
    return []
  }
}

/** Forgets them: on signing out. */
export async function forgetReads(): Promise<void> {
  try {
    await clear(store())
  } catch {
    // Nothing is kept there either.
  }
}
