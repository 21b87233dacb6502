import type { Page } from "@playwright/test"

/** The clicks in a page since it was last asked. */
export interface ClickCounter {
  take(): readonly string[]
}

/**
 * Counts presses of the mouse or a finger as the page sees them, named by what was under it. What the page clicks by
 * itself (a hidden file field behind a button) has no press and is not counted.
 */
export async function countClicks(page: Page): Promise<ClickCounter> {
  let seen: string[] = []
  await page.exposeFunction("noteClick", (what: string) => seen.push(what))
  await page.addInitScript(() => {
    const note = ({ target }: PointerEvent) => {
      const tell = Reflect.get(globalThis, "noteClick")
      if (typeof tell !== "function" || !(target instanceof Element)) return
      const part = target.closest("button, a, label, input, td, [role=option]") ?? target
      const words = part.getAttribute("aria-label") ?? part.textContent ?? ""
      tell(words.trim().slice(0, 60) || part.tagName.toLowerCase())
    }
    window.addEventListener("pointerdown", note, { capture: true })
  })
  return {
    take() {
      const taken = seen
      seen = []
      return taken
    },
  }
}
