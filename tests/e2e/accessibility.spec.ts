import { AxeBuilder } from "@axe-core/playwright"
import { expect, type Page } from "@playwright/test"
import { enter, test } from "./desk.ts"
import { anaSilva } from "./members.ts"
import { pagesOf, panelsOf, visit, type Place } from "./places.ts"

const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

/** What is looked at on the tablet and the phone too: the parts that are laid out anew there. */
const responsive = new Set(["members", "member, ledger", "edit member", "status", "audit log", "users"])
const small = [
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
]

test.describe.configure({ mode: "parallel" })

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`no accessibility violation and nothing the content policy refuses, ${colorScheme}`, () => {
    test.use({ colorScheme })
    test.setTimeout(180_000)

    test("before signing in", async ({ page, builtIn }) => {
      const findings = await lookAt(page)
      await page.goto(`${builtIn.url}/sign-in`)
      await expect(page.getByRole("button", { name: /Administrator/ })).toBeVisible()
      await findings.look("sign in")
      await page.goto(`${builtIn.url}/set-password#token=unknown`)
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible()
      await findings.look("set password")
      expect(findings.all()).toEqual([])
    })

    test("every page", async ({ page, builtIn }) => {
      const findings = await lookAt(page)
      await enter(page, builtIn.url, "Administrator", "/members")
      await findings.lookAtAll(builtIn.url, pagesOf(await anaSilva(page)))
      expect(findings.all()).toEqual([])
    })

    test("what opens over a page", async ({ page, builtIn }) => {
      const findings = await lookAt(page)
      await enter(page, builtIn.url, "Administrator", "/members")
      await findings.lookAtAll(builtIn.url, panelsOf(await anaSilva(page)))
      expect(findings.all()).toEqual([])
    })

    test("on a tablet and a phone", async ({ page, builtIn }) => {
      const findings = await lookAt(page)
      await enter(page, builtIn.url, "Administrator", "/members")
      const places = pagesOf(await anaSilva(page)).filter(({ name }) => responsive.has(name))
      for (const size of small) {
        await page.setViewportSize(size)
        await findings.lookAtAll(builtIn.url, places)
      }
      expect(findings.all()).toEqual([])
    })
  })
}

/** Collects, over many places, what axe finds and what the browser refuses by the content security policy. */
async function lookAt(page: Page) {
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
