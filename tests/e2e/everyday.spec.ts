import { expect } from "@playwright/test"
import { admin } from "../support/desk-process.ts"
import { test } from "./desk.ts"

test.describe("keeping a member's record right", () => {
  test("find a member, read and filter the ledger, change the company and a metadata key, see it in the audit log", async ({
    page,
    staging,
  }) => {
    await page.goto(staging.desk.url)
    await page.getByLabel("E-mail").fill(admin.email)
    await page.getByLabel("Password", { exact: true }).fill(admin.password)
    await page.getByRole("button", { name: "Sign in" }).click()
    await expect(page.getByRole("heading", { level: 1, name: "Members" })).toBeVisible()

    // ⌘K, six letters, Enter: a member in eight keys.
    await page.keyboard.press("ControlOrMeta+k")
    await page.keyboard.type("ana si", { delay: 20 })
    await expect(page.getByRole("option", { name: /Ana Silva/ }).first()).toBeVisible()
    await page.keyboard.press("Enter")
    await expect(page.getByRole("heading", { level: 1, name: "Ana Silva" })).toBeVisible()

    await expect(page.getByRole("columnheader", { name: "Balance after" })).toBeVisible()
    await page.getByRole("radio", { name: "Redeem" }).check({ force: true })
    await expect(page).toHaveURL(/type=redeem/)
    const types = page.getByRole("table").getByRole("row").filter({ hasText: "Redeem" })
    await expect(types.first()).toBeVisible()
    await expect(page.getByRole("table").getByRole("row").filter({ hasText: "Award" })).toHaveCount(0)

    await page.getByRole("link", { name: "Edit" }).first().click()
    await page.getByLabel("Company").fill("Coastal Climate & Sons")
    await page.getByLabel("Value of region").fill("Gympie")
    await page.getByRole("button", { name: /^Save/ }).click()
    await expect(page.getByRole("complementary").getByText("Coastal Climate & Sons")).toBeVisible()
    await expect(page.getByRole("complementary").getByText("Gympie")).toBeVisible()
    const stored = await staging.sandbox.fetch(
      new Request(`${staging.desk.url}/v1/members?search=ana.silva`, {
        headers: { authorization: "Bearer laurel-sandbox-key" },
      }),
    )
    expect(await stored.text()).toContain("Gympie")

    await page.getByRole("link", { name: "Audit log" }).click()
    const entry = page.getByRole("row").filter({ hasText: "Edited a member" }).first()
    await expect(entry).toContainText("Ana Silva")
    await expect(entry).toContainText("Administrator")
  })
})
