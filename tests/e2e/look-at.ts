import { AxeBuilder } from "@axe-core/playwright"
import type { Page } from "@playwright/test"
import { stillness, visit, type Place } from "./places.ts"

const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

/**
 * Collects, over many places, what axe finds in light and dark and what the browser refuses by the content security
 * policy. The schemes differ in colours alone, so in the dark the contrast is what is looked at.
 */
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
    await report(name, new AxeBuilder({ page }).withTags(standards))
    await setScheme(page, "dark")
    await report(`${name}, dark`, new AxeBuilder({ page }).withRules(["color-contrast"]))
    await setScheme(page, "light")
  }
  const report = async (name: string, axe: AxeBuilder) => {
    const { violations } = await axe.setLegacyMode().analyze()
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

/** As the menu does it: by the attribute that the colours follow, and the system's scheme for the form controls. */
async function setScheme(page: Page, scheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme })
  await page.evaluate((to) => {
    document.documentElement.setAttribute("data-mantine-color-scheme", to)
  }, scheme)
  await stillness(page)
}
