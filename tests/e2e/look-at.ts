import { AxeBuilder } from "@axe-core/playwright"
import type { Page } from "@playwright/test"
import { visit, type Place } from "./places.ts"

const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

/** Collects, over many places, what axe finds and what the browser refuses by the content security policy. */
export async function lookAt(page: Page) {
  const found: string[] = []
  await page.exposeFunction("noteRefusal", (what: string) => found.push(`refused: ${what}`))
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const note = Reflect.get(globalThis, "noteRefusal")
      if (typeof note === "function") note(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`)
    })
  })
  const look = async (name: string) => {
    const { violations } = await new AxeBuilder({ page }).withTags(standards).setLegacyMode().analyze()
    for (const { id, help, nodes } of violations) {
      const where = nodes.slice(0, 3).map((node) => `${node.target.join(" ")}: ${node.failureSummary ?? ""}`)
      found.push(`${name}: ${id}, ${help} (${nodes.length})\n  ${where.join("\n  ")}`)
    }
  }
  return {
    look,
    lookAtAll: async (url: string, places: readonly Place[]) => {
      for (const place of places) {
        await visit(page, url, place)
        await look(place.name)
      }
    },
    all: () => found,
  }
}
