import { createStore, delMany, get, keys, promisifyRequest, set } from "idb-keyval"
import * as z from "zod/mini"

/**
 * Drafts of imports in IndexedDB, stored under the user's id because they contain personal data. They are deleted when
 * the job is started, the user discards them or signs out, or after 14 days (docs/security.md).
 */
export function browserDrafts() {
  const store = createStore("laurel-import", "drafts")
  return {
    read: (key: string) => get<unknown>(key, store),
    write: (key: string, value: unknown) => set(key, value, store),
    /** Replaces an existing value only: signing out deletes the drafts of other tabs too. */
    replace: (key: string, value: unknown) =>
      store("readwrite", (objects) => {
        const existing = objects.get(key)
        existing.addEventListener("success", () => {
          if (existing.result !== undefined) objects.put(value, key)
        })
        return promisifyRequest(objects.transaction)
      }),
    keys: async () => (await keys(store)).filter((key) => typeof key === "string"),
    drop: (dropped: string[]) => delMany(dropped, store),
  }
}

export type DraftStore = ReturnType<typeof browserDrafts>

/** Version of the stored drafts; drafts of another version are deleted. */
export const draftVersion = 3

const prefix = "import:"
const stateEnd = "state"

/** Storage keys of a user's draft of one recipe. */
export function draftKeys(recipe: string, userId: string) {
  const own = `${prefix}${recipe}:${userId}:`
  return { state: own + stateEnd, rows: `${own}rows` }
}

/** Time after its last change until a draft is deleted, in ms. */
const lifetime = 14 * 24 * 3_600_000
const keptState = z.object({
  version: z.literal(draftVersion),
  savedAt: z.number(),
  origin: z.object({ name: z.string() }),
})

/** Deletes expired drafts of all users, and rows without a draft. */
export async function dropExpiredDrafts(store: DraftStore, now: number): Promise<void> {
  const all = await draftKeysIn(store)
  const live = new Set<string>()
  for (const key of all.filter((each) => each.endsWith(stateEnd))) {
    const savedAt = keptState.safeParse(await store.read(key)).data?.savedAt ?? 0
    if (now - savedAt <= lifetime) live.add(key.slice(0, -stateEnd.length))
  }
  await store.drop(all.filter((key) => !live.has(key.replace(/[^:]*$/, ""))))
}

/** File names of a user's unfinished imports. */
export async function unfinishedImports(store: DraftStore, userId: string): Promise<string[]> {
  const own = (await draftKeysIn(store)).filter((key) => ownerOf(key) === userId && key.endsWith(stateEnd))
  const states = await Promise.all(own.map((key) => store.read(key)))
  return states.flatMap((state) => keptState.safeParse(state).data?.origin.name ?? [])
}

/** Deletes all drafts of a user who signs out. */
export async function dropImportsOf(store: DraftStore, userId: string): Promise<void> {
  await store.drop((await draftKeysIn(store)).filter((key) => ownerOf(key) === userId))
}

async function draftKeysIn(store: DraftStore): Promise<string[]> {
  return (await store.keys()).filter((key) => key.startsWith(prefix))
}

/** `import:<recipe>:<user>:<part>`; no recipe and no part has a colon. */
function ownerOf(key: string): string {
  return key.split(":").slice(2, -1).join(":")
}
