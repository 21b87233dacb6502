import type { Page } from "@playwright/test"

/** The keys pressed in a page since it was last asked. Holding a modifier down for another key is not a press. */
export interface KeyCounter {
  take(): readonly string[]
}

/** Counts what the page itself sees of the keyboard, so that a key typed without need is counted too. */
export async function countKeys(page: Page): Promise<KeyCounter> {
  let seen: string[] = []
  await page.exposeFunction("noteKey", (key: string) => seen.push(key))
  await page.addInitScript(() => {
    const note = (event: KeyboardEvent) => {
      const tell = Reflect.get(globalThis, "noteKey")
      if (["Control", "Meta", "Shift", "Alt"].includes(event.key) || typeof tell !== "function") return
      tell(event.ctrlKey || event.metaKey ? `Ctrl ${event.key}` : event.key)
    }
    window.addEventListener("keydown", note, { capture: true })
  })
  return {
    take() {
      const taken = seen
      seen = []
      return taken
    },
  }
}
