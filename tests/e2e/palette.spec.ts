import { expect } from "@playwright/test"
import { enter, test } from "./app.ts"

test.describe("the palette", () => {
  test("loses no key while its results are still on their way", async ({ page, builtIn }) => {
    const arrival = Promise.withResolvers<void>()
    await page.route(/palette-results/, async (route) => {
      await arrival.promise
      await route.continue()
    })
    await enter(page, builtIn.url, "manager", "/members")
    await expect(page.getByRole("table").getByRole("row").nth(1)).toBeVisible()

    await page.keyboard.press("ControlOrMeta+k")
    await page.keyboard.type("ana zi")
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("Backspace")
    await page.keyboard.type("s")
    await page.keyboard.press("Enter")
    const field = page.getByRole("combobox", { name: /^Search members/ })
    await expect(field).toBeFocused()
    await expect(field).toHaveValue("ana si")

    arrival.resolve()
    await expect(page.getByRole("heading", { level: 1, name: "Ana Silva" })).toBeVisible()
  })

  test("opens over a drawer, keeps Escape to itself and gives the focus back", async ({ page, builtIn }) => {
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
