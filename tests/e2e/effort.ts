import type { Page } from "@playwright/test"

/** What a person did in a page: each click by the words under it, each key by its name. */
export interface Effort {
  readonly clicks: readonly string[]
  readonly keys: readonly string[]
}

/** Counts what is done in a page. */
export interface EffortCounter {
  /** What was done since it was last asked. */
  take(): Promise<Effort>
}

/**
 * Counts presses of the mouse, a finger and the keyboard as the page sees them, if the browser vouches for them: what the
 * page clicks by itself (a hidden file field behind a button) is not counted. Holding a modifier down for another key is
 * not a press.
 */
export async function countEffort(page: Page): Promise<EffortCounter> {
  let seen: { clicks: string[]; keys: string[] } = { clicks: [], keys: [] }
  await page.exposeFunction("noteEffort", (kind?: "clicks" | "keys", what = "") => {
    if (kind !== undefined) seen[kind].push(what)
  })
  await page.addInitScript(() => {
    const note = (kind: "clicks" | "keys", what: string) => {
      const tell = Reflect.get(globalThis, "noteEffort")
      if (typeof tell === "function") tell(kind, what)
    }
    const click = ({ target, isTrusted }: PointerEvent) => {
      if (!isTrusted || !(target instanceof Element)) return
      const part = target.closest("button, a, label, input, td, [role=option]") ?? target
      const words = part.getAttribute("aria-label") ?? part.textContent ?? ""
      note("clicks", words.trim().slice(0, 60) || part.tagName.toLowerCase())
    }
    const press = ({ key, isTrusted, ctrlKey, metaKey }: KeyboardEvent) => {
      if (!isTrusted || ["Control", "Meta", "Shift", "Alt"].includes(key)) return
      note("keys", ctrlKey || metaKey ? `Ctrl ${key}` : key)
    }
    window.addEventListener("pointerdown", click, { capture: true })
    window.addEventListener("keydown", press, { capture: true })
  })
  return {
    async take() {
      // Goes the way of the events, behind them: when it is answered, each of them has arrived.
      await page.evaluate(async () => {
        await Reflect.get(globalThis, "noteEffort")()
      })
      const taken = seen
      seen = { clicks: [], keys: [] }
      return taken
    },
  }
}
