import { expect, type Page } from "@playwright/test"
import { signIn, test } from "./app.ts"
import { anaSilva } from "./members.ts"

test.describe("points", () => {
  test("an award from the member's page updates balance and ledger", async ({ page, money }) => {
    await signIn(page, money.app.url)
    const ana = await anaSilva(page, money.app.url)
    const before = (await money.service.booked()).length
    await page.goto(`${money.app.url}/members/${ana}`)
    const balance = await availableOf(page)
    await page.getByRole("link", { name: "Award points" }).click()
    await page.getByRole("button", { name: "250", exact: true }).click()
    await page.getByLabel("Reason", { exact: true }).fill("Training: R32 handling")
    await page.keyboard.press("ControlOrMeta+Enter")
    await expect(page.getByText("250 points awarded to Ana Silva")).toBeVisible()
    await expect.poll(() => availableOf(page)).toBe(balance + 250)
    await expect(page.getByRole("table").getByRole("row").nth(1)).toContainText("Training: R32 handling")

    const booked = (await money.service.booked()).slice(before).filter(({ memberId }) => memberId === ana)
    expect(booked.map(({ kind, points, reason }) => ({ kind, points, reason }))).toEqual([
      { kind: "award", points: 250, reason: "Training: R32 handling" },
    ])
  })
})

/** The member's available points on the page. */
async function availableOf(page: Page): Promise<number> {
  const figure = page
    .locator("div")
    .filter({ has: page.locator("dt", { hasText: /^Available$/ }) })
    .last()
  // Empty until loaded.
  await expect(figure).toHaveText(/\d/)
  return Number((await figure.innerText()).replace(/\D/g, ""))
}
