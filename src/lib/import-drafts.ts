import { createStore, delMany, get, keys, promisifyRequest, set } from "idb-keyval"
import * as z from "zod/mini"

/**
 * Drafts of imports in this browser's IndexedDB: what people typed about people, under the user's id. They stay until the
 * job is started, the person discards them or signs out, or 14 days have passed (docs/security.md).
 */
export function browserDrafts() {
  const store = createStore("laurel-import", "drafts")
  return {
    read: (key: string) => get<unknown>(key, store),
    write: (key: string, value: unknown) => set(key, value, store),
    /** Writes in place of what is there, and nothing where that was dropped: signing out ends other tabs' drafts too. */
    replace: (key: string, value: unknown) =>
      store("readwrite", (objects) => {
        const held = objects.get(key)
        held.addEventListener("success", () => {
          if (held.result !== undefined) objects.put(value, key)
        })
        return promisifyRequest(objects.transaction)
      }),
    keys: async () => (await keys(store)).filter((key) => typeof key === "string"),
    drop: (dropped: string[]) => delMany(dropped, store),
  }
}

export type DraftStore = ReturnType<typeof browserDrafts>

/** Version of what is kept: a draft of another version is dropped, never guessed at. */
export const draftVersion = 3

const prefix = "import:"
const stateEnd = "state"

/** Under which keys a person's draft of one kind of file is kept. */
export function draftKeys(recipe: string, userId: string) {
  const own = `${prefix}${recipe}:${userId}:`
  return { state: own + stateEnd, rows: `${own}rows` }
}

/** Time after its last change until a draft is dropped, in ms. */
const lifetime = 14 * 24 * 3_600_000
const keptState = z.object({
  version: z.literal(draftVersion),
  savedAt: z.number(),
  origin: z.object({ name: z.string() }),
})

/** Drops expired drafts of every user, and rows without a draft. */
export async function dropExpiredDrafts(store: DraftStore, now: number): Promise<void> {
  const all = await draftKeysIn(store)
  const live = new Set<string>()
  for (const key of all.filter((each) => each.endsWith(stateEnd))) {
    const savedAt = keptState.safeParse(await store.read(key)).data?.savedAt ?? 0
    if (now - savedAt <= lifetime) live.add(key.slice(0, -stateEnd.length))
  }
  await store.drop(all.filter((key) => !live.has(key.replace(/[^:]*$/, ""))))
}

/** Names of the files that a person has not finished importing. */
export async function unfinishedImports(store: DraftStore, userId: string): Promise<string[]> {
  const own = (await draftKeysIn(store)).filter((key) => ownerOf(key) === userId && key.endsWith(stateEnd))
  const states = await Promise.all(own.map((key) => store.read(key)))
  return states.flatMap((state) => keptState.safeParse(state).data?.origin.name ?? [])
}

/** Drops all drafts of a person who signs out. */
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
