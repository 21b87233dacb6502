import { expect } from "@playwright/test"
import { enter, test } from "./app.ts"

test.describe("the palette", () => {
  test("loses no key while its code loads, and Enter opens the match", async ({ page, builtIn }) => {
    const arrival = Promise.withResolvers<void>()
    await page.route(/\/palette-[^/]*\.js/, async (route) => {
      await arrival.promise
      await route.continue()
    })
    await enter(page, builtIn.url, "manager", "/members")
    await expect(page.getByRole("table").getByRole("row").nth(1)).toBeVisible()
    await page.keyboard.press("ControlOrMeta+k")
    await page.keyboard.type("ana si")
    await page.keyboard.press("Enter")
    await expect(page.getByRole("textbox", { name: "Search", exact: true })).toHaveValue("ana si")
    arrival.resolve()
    await expect(page.getByRole("heading", { level: 1, name: "Ana Silva" })).toBeVisible()
  })

  test("opens over a drawer, closes alone on Escape and restores the focus", async ({ page, builtIn }) => {
    await enter(page, builtIn.url, "manager", "/members/new")
    const company = page.getByLabel("Company")
    await company.fill("Harbour Heating")
    await page.keyboard.press("ControlOrMeta+k")
    await expect(page.getByRole("combobox", { name: /^Search members/ })).toBeFocused()
    await page.keyboard.press("Escape")
    await expect(page.getByRole("combobox", { name: /^Search members/ })).toHaveCount(0)
    await expect(company).toHaveValue("Harbour Heating")
    await expect(company).toBeFocused()
  })
})
