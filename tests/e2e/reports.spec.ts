import { expect } from "@playwright/test"
import { enter, test } from "./app.ts"
import { inspectPages } from "./inspect-pages.ts"

test.describe.configure({ mode: "serial" })

test.describe("reports", () => {
  test("have pages without an accessibility violation or overflow", async ({ page, copied: { url } }) => {
    const findings = await inspectPages(page)
    await enter(page, url, "admin")
    for (const [path, title] of [
      ["/reports/points", "Points"],
      ["/reports/points?by=company&compare=before", "Points"],
      ["/reports/outstanding?by=day", "Outstanding points"],
      ["/reports/activity", "Member activity"],
      ["/reports/rewards?compare=before", "Redemptions"],
      ["/reports/fulfilment", "Fulfilment"],
      ["/reports/points?view=print", "Points"],
    ] as const) {
      await page.goto(url + path)
      await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible()
      // The first snapshot of outstanding points is kept within the hour.
      const shown = page
        .getByRole("table")
        .getByRole("row")
        .nth(1)
        .or(page.getByText("No snapshots in this period"))
      await expect(shown).toBeVisible()
      await findings.check(path)
      await findings.checkOverflow(path, true)
    }
    expect(findings.all()).toEqual([])
  })

  test("are printed on one page each, with chart and table", async ({ page, copied: { url } }) => {
    await enter(page, url, "manager")
    for (const path of [
      "points?by=day",
      "points?by=company&compare=before",
      "rewards?compare=before",
      "activity?by=company",
    ]) {
      await page.goto(`${url}/reports/${path}&view=print`)
      await expect(page.getByRole("button", { name: "Print" })).toBeEnabled()
      await page.emulateMedia({ media: "print" })
      await expect(page.getByRole("article").locator("svg.recharts-surface").first()).toBeVisible()
      await expect(page.getByRole("navigation").first()).toBeHidden()
      const pdf = await page.pdf({ preferCSSPageSize: true })
      expect(pdf.toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1)
      await page.emulateMedia({ media: "screen" })
    }
  })
})
