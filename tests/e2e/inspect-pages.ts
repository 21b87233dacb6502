import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { type Page, test } from "@playwright/test"
import axe from "axe-core"
import { settleAnimations, visit, type Place } from "./places.ts"
import { findOverflow } from "./find-overflow.ts"

const wide = { width: 1440, height: 900 }
const tablet = { width: 820, height: 1180 }
const phone = { width: 390, height: 844 }
const narrowest = { width: 320, height: 640 }

const everyRule: axe.RunOnly = {
  type: "tag",
  values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
}
const contrast: axe.RunOnly = { type: "rule", values: ["color-contrast"] }

/**
 * Collects, over many places, axe violations in light and dark, CSP violations, hidden animations, and overflow on a
 * tablet and at the narrowest width. The schemes differ only in colours, so only contrast is checked in the dark.
 */
export async function inspectPages(page: Page) {
  const findings: string[] = []
  await page.exposeFunction("noteRefusal", (what: string) => findings.push(`refused: ${what}`))
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const note = Reflect.get(globalThis, "noteRefusal")
      if (typeof note === "function") note(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`)
    })
  })
  const check = async (name: string) => {
    findings.push(...(await hiddenMotion(page)).map((what) => `${name}: animates while hidden: ${what}`))
    await report(name, everyRule)
    await setScheme(page, "dark")
    await settleAnimations(page)
    await report(`${name}, dark`, contrast)
    await setScheme(page, "light")
  }
  const report = async (name: string, rules: axe.RunOnly) => {
    for (const { id, help, nodes } of await violations(page, rules)) {
      const where = nodes.slice(0, 3).map((node) => `${node.target.join(" ")}: ${node.failureSummary ?? ""}`)
      findings.push(`${name}: ${id}, ${help} (${nodes.length})\n  ${where.join("\n  ")}`)
    }
  }
  const checkOverflow = async (name: string, isResponsive = false) => {
    for (const size of isResponsive ? [tablet, phone, narrowest] : [tablet, narrowest]) {
      await page.setViewportSize(size)
      await settleAnimations(page)
      findings.push(...(await findOverflow(page)).map((part) => `${name} at ${size.width}: ${part}`))
      // A separate layout; the colours are those of the wide window.
      if (isResponsive && size !== narrowest) await report(`${name} at ${size.width}`, everyRule)
    }
    await page.setViewportSize(wide)
  }
  const checkForcedColours = async (name: string) => {
    await page.emulateMedia({ forcedColors: "active" })
    await settleAnimations(page)
    await report(`${name}, forced colours`, contrast)
    await page.emulateMedia({ forcedColors: "none" })
  }
  return {
    check,
    checkOverflow,
    /**
     * `responsive` places are also checked in forced colours, and by all rules on a tablet and a phone. `reload`: for
     * pages with messages that would stay over the next one.
     */
    checkPlaces: async (
      url: string,
      places: readonly Place[],
      { responsive, reload = false }: { readonly responsive: ReadonlySet<string>; readonly reload?: boolean },
    ) => {
      for (const place of places) {
        await test.step(place.name, async () => {
          await visit(page, url, place, reload)
          await check(place.name)
          if (responsive.has(place.name)) await checkForcedColours(place.name)
          await checkOverflow(place.name, responsive.has(place.name))
        })
      }
    },
    all: () => findings,
  }
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** Axe violations of the page. Injects axe once per document and returns only violations. */
async function violations(page: Page, runOnly: axe.RunOnly): Promise<readonly axe.Result[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeSource)
  const options: axe.RunOptions = { runOnly, resultTypes: ["violations"] }
  return page.evaluate(async (runOptions) => (await axe.run(document, runOptions)).violations, options)
}

/** Elements that are animated while hidden. */
async function hiddenMotion(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ reducedMotion: "no-preference" })
  const hidden = await page.evaluate(() => {
    const targets = document
      .getAnimations()
      .map(({ effect }) => (effect instanceof KeyframeEffect ? effect.target : null))
    const invisible = targets.filter((one) => one?.checkVisibility({ visibilityProperty: true }) === false)
    return invisible.map((one) => one?.outerHTML.slice(0, 100) ?? "")
  })
  await page.emulateMedia({ reducedMotion: "reduce" })
  return hidden
}

/** Sets the scheme as the menu does: the attribute for the colours, and the system's scheme for form controls. */
async function setScheme(page: Page, scheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme })
  await page.evaluate((to) => {
    document.documentElement.setAttribute("data-mantine-color-scheme", to)
  }, scheme)
}
