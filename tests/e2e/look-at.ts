import { type Page, test } from "@playwright/test"
import axe from "axe-core"
import { stillness, visit, type Place } from "./places.ts"
import { whatSticksOut } from "./what-sticks-out.ts"

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
 * Collects, over many places, what axe finds in light, dark and forced colours, what the browser refuses by the content
 * security policy, what moves unseen, and what sticks out at any size. The schemes differ in colours alone, so the
 * contrast is what is looked at in all but the first.
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
    found.push(...(await unseenMotion(page)).map((what) => `${name}: moves where nobody sees it: ${what}`))
    await report(name, everyRule)
    await setScheme(page, "dark")
    await report(`${name}, dark`, contrast)
    await setScheme(page, "light")
    await page.emulateMedia({ forcedColors: "active" })
    await stillness(page)
    await report(`${name}, forced colours`, contrast)
    await page.emulateMedia({ forcedColors: "none" })
  }
  const report = async (name: string, rules: axe.RunOnly) => {
    for (const { id, help, nodes } of await violations(page, rules)) {
      const where = nodes.slice(0, 3).map((node) => `${node.target.join(" ")}: ${node.failureSummary ?? ""}`)
      found.push(`${name}: ${id}, ${help} (${nodes.length})\n  ${where.join("\n  ")}`)
    }
  }
  const lookForWhatSticksOut = async (
    name: string,
    responsive?: ReadonlySet<string>,
    only: readonly (typeof wide)[] = sizes,
  ) => {
    for (const size of only) {
      await page.setViewportSize(size)
      await stillness(page)
      found.push(...(await whatSticksOut(page)).map((part) => `${name} at ${size.width}: ${part}`))
      // What is laid out anew there; the colours are those of the wide window.
      if (touch.has(size.width) && responsive?.has(name)) await report(`${name} at ${size.width}`, everyRule)
    }
    await page.setViewportSize(wide)
  }
  return {
    look,
    lookForWhatSticksOut,
    /** What opens over a page is looked at wide, and on a tablet and at the narrowest for what sticks out. */
    lookAtAll: async (url: string, places: readonly Place[]) => {
      for (const place of places) {
        await test.step(place.name, async () => {
          await visit(page, url, place)
          await look(place.name)
          await lookForWhatSticksOut(place.name, undefined, [...sizes.slice(1, 2), ...sizes.slice(-1)])
        })
      }
    },
    /** Each place is opened once and then made narrower; the `responsive` ones obey the rules on a tablet and a phone too. */
    lookAtEverySize: async (url: string, places: readonly Place[], responsive: ReadonlySet<string>) => {
      for (const place of places) {
        await test.step(place.name, async () => {
          await visit(page, url, place)
          await look(place.name)
          await lookForWhatSticksOut(place.name, responsive)
        })
      }
    },
    all: () => found,
  }
}

/** What axe finds in the page. A document gets axe's script once, and only what is wrong leaves it. */
async function violations(page: Page, runOnly: axe.RunOnly): Promise<readonly axe.Result[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source)
  const options: axe.RunOptions = { runOnly, resultTypes: ["violations"] }
  return page.evaluate(async (asked) => (await axe.run(document, asked)).violations, options)
}

/** What is drawn again and again, frame by frame, although it is hidden. */
async function unseenMotion(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ reducedMotion: "no-preference" })
  const hidden = await page.evaluate(() => {
    const targets = document
      .getAnimations()
      .map(({ effect }) => (effect instanceof KeyframeEffect ? effect.target : null))
    const unseen = targets.filter((one) => one?.checkVisibility({ visibilityProperty: true }) === false)
    return unseen.map((one) => one?.outerHTML.slice(0, 100) ?? "")
  })
  await page.emulateMedia({ reducedMotion: "reduce" })
  return hidden
}

/** As the menu does it: by the attribute that the colours follow, and the system's scheme for the form controls. */
async function setScheme(page: Page, scheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme })
  await page.evaluate((to) => {
    document.documentElement.setAttribute("data-mantine-color-scheme", to)
  }, scheme)
  await stillness(page)
}
