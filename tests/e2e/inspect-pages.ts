import { type Page, test } from "@playwright/test"
import axe from "axe-core"
import { settleAnimations, visit, type Place } from "./places.ts"
import { findOverflow } from "./find-overflow.ts"

const wide = { width: 1440, height: 900 }
const sizes = [wide, { width: 820, height: 1180 }, { width: 390, height: 844 }, { width: 320, height: 640 }]
/** Widths of a tablet and a phone. */
const touch = new Set([820, 390])

const everyRule: axe.RunOnly = {
  type: "tag",
  values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
}
const contrast: axe.RunOnly = { type: "rule", values: ["color-contrast"] }

/**
 * Collects, over many places, axe violations in light, dark and forced colours, CSP violations, hidden animations,
 * and overflow at each size. The schemes differ only in colours, so only contrast is checked in all but the first.
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
    await report(`${name}, dark`, contrast)
    await setScheme(page, "light")
    await page.emulateMedia({ forcedColors: "active" })
    await settleAnimations(page)
    await report(`${name}, forced colours`, contrast)
    await page.emulateMedia({ forcedColors: "none" })
  }
  const report = async (name: string, rules: axe.RunOnly) => {
    for (const { id, help, nodes } of await violations(page, rules)) {
      const where = nodes.slice(0, 3).map((node) => `${node.target.join(" ")}: ${node.failureSummary ?? ""}`)
      findings.push(`${name}: ${id}, ${help} (${nodes.length})\n  ${where.join("\n  ")}`)
    }
  }
  const checkOverflow = async (
    name: string,
    responsive?: ReadonlySet<string>,
    only: readonly (typeof wide)[] = sizes,
  ) => {
    for (const size of only) {
      await page.setViewportSize(size)
      await settleAnimations(page)
      findings.push(...(await findOverflow(page)).map((part) => `${name} at ${size.width}: ${part}`))
      // A separate layout; the colours are those of the wide window.
      if (touch.has(size.width) && responsive?.has(name)) await report(`${name} at ${size.width}`, everyRule)
    }
    await page.setViewportSize(wide)
  }
  return {
    check,
    checkOverflow,
    /** Panels are checked wide, and for overflow on a tablet and at the narrowest width. */
    checkPanels: async (url: string, places: readonly Place[]) => {
      for (const place of places) {
        await test.step(place.name, async () => {
          await visit(page, url, place)
          await check(place.name)
          await checkOverflow(place.name, undefined, [...sizes.slice(1, 2), ...sizes.slice(-1)])
        })
      }
    },
    /** Each place is opened once and then narrowed; all rules apply to `responsive` ones on a tablet and a phone. */
    checkPages: async (url: string, places: readonly Place[], responsive: ReadonlySet<string>) => {
      for (const place of places) {
        await test.step(place.name, async () => {
          await visit(page, url, place)
          await check(place.name)
          await checkOverflow(place.name, responsive)
        })
      }
    },
    all: () => findings,
  }
}

/** Axe violations of the page. Injects axe once per document and returns only violations. */
async function violations(page: Page, runOnly: axe.RunOnly): Promise<readonly axe.Result[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source)
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
  await settleAnimations(page)
}
