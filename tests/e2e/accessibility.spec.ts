import AxeBuilder from "@axe-core/playwright"
import { expect } from "@playwright/test"
import { enter, test } from "./desk.ts"
import { anaSilva } from "./members.ts"
import { placesOf } from "./places.ts"

const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

for (const colorScheme of ["light", "dark"] as const) {
  test(`every page and dialog, ${colorScheme}: no accessibility violation, no refused style or script`, async ({
    page,
    builtIn,
  }) => {
    test.setTimeout(180_000)
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
    const refused: string[] = []
    await page.exposeFunction("noteRefusal", (what: string) => refused.push(what))
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        const note = Reflect.get(globalThis, "noteRefusal")
        if (typeof note === "function")
          note(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`)
      })
    })

    const found: string[] = []
    const look = async (name: string) => {
      const { violations } = await new AxeBuilder({ page }).withTags(standards).analyze()
      for (const violation of violations) {
        const where = violation.nodes.map((node) => `${node.target.join(" ")} ${node.failureSummary ?? ""}`)
        found.push(`${name}: ${violation.id}, ${violation.help}\n  ${where.slice(0, 3).join("\n  ")}`)
      }
    }

    await page.goto(`${builtIn.url}/sign-in`)
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible()
    await look("sign in")
    await page.goto(`${builtIn.url}/set-password#token=unknown`)
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible()
    await look("set password")
    await enter(page, builtIn.url, "Administrator", "/members")
    for (const place of placesOf(await anaSilva(page))) {
      await page.goto(`${builtIn.url}${place.path}`)
      await place.open?.(page)
      await place.ready(page)
      await page.waitForLoadState("load")
      await look(place.name)
    }
    expect(found.join("\n")).toBe("")
    expect(refused).toEqual([])
  })
}
