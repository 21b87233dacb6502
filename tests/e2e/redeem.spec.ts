import { expect } from "@playwright/test"
import { countClicks } from "./click-counter.ts"
import { enter, test } from "./app.ts"
import { countKeys } from "./key-counter.ts"
import { anaSilva } from "./members.ts"
import { effortWords, sayMeasured } from "./say-measured.ts"

test("redeem for a member: from the member's page, with the address, and the order stands there", async ({
  page,
  builtIn,
}) => {
  const [clicks, keys] = [await countClicks(page), await countKeys(page)]
  await enter(page, builtIn.url, "manager")
  const ana = await anaSilva(page, builtIn.url)
  await page.goto(`${builtIn.url}/members/${ana}`)
  const redeem = page.getByRole("link", { name: "Redeem" })
  await expect(redeem).toBeVisible()

  clicks.take()
  keys.take()
  await redeem.click()
  const reward = page.getByRole("combobox", { name: "Reward" })
  await reward.pressSequentially("vacuum")
  await expect(page.getByRole("option", { name: /Vacuum flask/ })).toBeVisible()
  await page.keyboard.press("Enter")
  await page.getByLabel("Address", { exact: true }).fill("4 Aerodrome Road")
  await page.getByLabel("City").fill("Maroochydore")
  await page.getByLabel("Postcode").fill("4558")
  await expect(page.getByRole("combobox", { name: "Country" })).toHaveValue("Australia")
  await page.getByRole("button", { name: /^Redeem 1 × Vacuum flask, 1.2 L for Ana Silva/ }).click()
  await expect(page.getByText("1 × Vacuum flask, 1.2 L redeemed for Ana Silva")).toBeVisible()
  const pressed = clicks.take()
  sayMeasured(test.info(), effortWords("redeem for a member", pressed, keys.take()))
  expect(pressed.length).toBeLessThanOrEqual(5)

  await page.getByRole("link", { name: /^ord_/ }).click()
  await expect(page.getByRole("heading", { level: 1, name: /^ord_/ })).toBeVisible()
  await expect(page.getByText("4 Aerodrome Road", { exact: true })).toBeVisible()
})
