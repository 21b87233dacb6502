import { expect } from "@playwright/test"
import { enter, test } from "./app.ts"
import { browserStorage } from "./browser-storage.ts"
import { countEffort } from "./effort.ts"
import { reportMeasurement } from "./report-measurement.ts"

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

  test("opens a member's actions with →, and awards without leaving the page", async ({ page, builtIn }) => {
    const effort = await countEffort(page)
    await enter(page, builtIn.url, "manager", "/orders")
    await expect(page.getByRole("heading", { level: 1, name: "Orders" })).toBeVisible()
    await effort.take()
    await page.keyboard.press("ControlOrMeta+k")
    await page.keyboard.type("ana si")
    await expect(page.getByRole("option", { name: /^Ana Silva/ })).toBeVisible()
    await page.keyboard.press("ArrowRight")
    await expect(page.getByRole("combobox", { name: "Actions for Ana Silva" })).toBeFocused()
    await page.keyboard.type("aw")
    await page.keyboard.press("Enter")
    await expect(page.getByRole("dialog", { name: "Award points" })).toBeVisible()
    await expect(page).toHaveURL(/\/orders\?.*for=/)
    const { keys } = await effort.take()
    reportMeasurement(test.info(), `award a member found by name: ${keys.length} keys as far as the form`)
    expect(keys.length).toBeLessThanOrEqual(12)
  })

  test("finds a reward that was not loaded before", async ({ page, builtIn }) => {
    await enter(page, builtIn.url, "manager", "/settings/about")
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible()
    await page.keyboard.press("ControlOrMeta+k")
    await expect(page.getByRole("combobox")).toBeFocused()
    await page.keyboard.type("flask")
    const rewards = page.getByRole("group", { name: "Rewards" })
    await expect(rewards.getByRole("option", { name: /flask/i }).first()).toBeVisible()
  })

  test("lists recent records after a reload and stores no name in the browser", async ({ page, builtIn }) => {
    await enter(page, builtIn.url, "manager", "/members?search=ana%20silva")
    await page.getByRole("link", { name: "Ana Silva" }).first().click()
    await expect(page.getByRole("heading", { level: 1, name: "Ana Silva" })).toBeVisible()
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? ""
    await page.goto(`${builtIn.url}/rewards`)
    await expect(page.getByRole("heading", { level: 1, name: "Rewards" })).toBeVisible()

    await page.keyboard.press("ControlOrMeta+k")
    const recent = page.getByRole("group", { name: "Recent" })
    await expect(recent.getByRole("option").first()).toContainText(id)
    const stored = await page.evaluate(browserStorage)
    expect(stored).toContain(id)
    expect(stored).not.toContain("Silva")
    await page.keyboard.press("Enter")
    await expect(page.getByRole("heading", { level: 1, name: "Ana Silva" })).toBeVisible()
  })
})
