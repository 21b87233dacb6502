import { readFileSync } from "node:fs"
import { expect, type Page } from "@playwright/test"

/** A person's actions in a page: each click by the text of its target, each key by its name. */
export interface Effort {
  readonly clicks: readonly string[]
  readonly keys: readonly string[]
}

/** Counts actions in a page. */
export interface EffortCounter {
  /** Actions since the last call. */
  take(): Promise<Effort>
}

/**
 * Counts trusted pointer and key presses: clicks by scripts (a hidden file field behind a button) do not count, nor
 * does a modifier on its own.
 */
export async function countEffort(page: Page): Promise<EffortCounter> {
  let effort: { clicks: string[]; keys: string[] } = { clicks: [], keys: [] }
  await page.exposeFunction("noteEffort", (kind?: "clicks" | "keys", what = "") => {
    if (kind !== undefined) effort[kind].push(what)
  })
  await page.addInitScript(() => {
    const note = (kind: "clicks" | "keys", what: string) => {
      const report = Reflect.get(globalThis, "noteEffort")
      if (typeof report === "function") report(kind, what)
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
      // Uses the same channel as the events: when it resolves, all of them have arrived.
      await page.evaluate(async () => {
        await Reflect.get(globalThis, "noteEffort")()
      })
      const taken = effort
      effort = { clicks: [], keys: [] }
      return taken
    },
  }
}

/** Tabs over one field to the next and types. */
export async function typeInNextButOne(page: Page, label: string, text: string): Promise<void> {
  await page.keyboard.press("Tab")
  await page.keyboard.press("Tab")
  await expect(page.getByLabel(label)).toBeFocused()
  await page.keyboard.type(text)
}

/** The README's rows of everyday tasks, without the seconds. */
export function readmeRows(): readonly (readonly string[])[] {
  const lines = readFileSync("README.md", "utf8").split("\n")
  const rows = lines.filter((line) => /^\| \d/.test(line))
  return rows.map((line) =>
    line
      .split("|")
      .slice(1, -2)
      .map((cell) => cell.trim()),
  )
}
