import type { StateFile } from "./state/state-file.ts"

/** Forgets all that this browser keeps of the demo and begins again at the first page. */
export async function forgetEverything(file: StateFile): Promise<void> {
  await file.remove()
  for (const storage of [localStorage, sessionStorage]) {
    for (const key of Object.keys(storage)) if (key.startsWith("laurel")) storage.removeItem(key)
  }
  window.location.assign(import.meta.env.BASE_URL)
}
