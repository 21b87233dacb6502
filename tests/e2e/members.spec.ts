import { expect } from "@playwright/test"
import { signIn, test } from "./app.ts"
import { anaSilva } from "./members.ts"

test.describe("a member's record", () => {
  test("shows and filters the ledger, and an edit is in the audit log", async ({ page, staging }) => {
    await signIn(page, staging.app.url)
    await page.goto(`${staging.app.url}/members/${await anaSilva(page, staging.app.url)}`)
    await expect(page.getByRole("columnheader", { name: "Balance after" })).toBeVisible()
    const ledger = page.getByRole("table").getByRole("row")
    await expect(ledger.filter({ hasText: "Award" }).first()).toBeVisible()
    await page.getByRole("radiogroup", { name: "Type" }).getByText("Redeem").click()
    await expect(page).toHaveURL(/type=redeem/)
    await expect(ledger.filter({ hasText: "Award" })).toHaveCount(0)
    await expect(ledger.filter({ hasText: "Redeem" }).first()).toBeVisible()

    await page.getByRole("link", { name: "Edit" }).first().click()
    await page.getByLabel("Company").fill("Coastal Climate & Sons")
    await page.getByLabel("Value of region").fill("Gympie")
    await page.getByRole("button", { name: /^Save/ }).click()
    await expect(page.getByRole("complementary").getByText("Coastal Climate & Sons")).toBeVisible()
    await expect(page.getByRole("complementary").getByText("Gympie")).toBeVisible()
    const edits = (await staging.sandbox.requests()).filter(({ method }) => method === "PATCH")
    expect(edits.filter(({ body }) => body.includes("Gympie"))).toHaveLength(1)

    await expect(page.getByRole("dialog")).toBeHidden()
    await expect(page.getByRole("status").getByText("Changes saved")).toBeVisible()
    await page.getByRole("link", { name: "Audit log" }).click()
    const entry = page.getByRole("row").filter({ hasText: "Edited a member" }).first()
    await expect(entry).toContainText("Ana Silva")
    await expect(entry).toContainText("Administrator")
  })

  test("a double click on Create creates one member", async ({ page, staging }) => {
    await signIn(page, staging.app.url, "/members")
    await page.getByRole("link", { name: "New member" }).click()
    await page.getByLabel("E-mail", { exact: true }).fill("robin.double@example.com")
    await page.getByLabel("First name").fill("Robin")
    await page.getByLabel("Last name").fill("Double")
    await page.getByRole("button", { name: "Create Robin Double" }).dblclick()
    await expect(page.getByText("Robin Double is a member now")).toBeVisible()
    const created = (await staging.sandbox.requests()).filter(
      ({ method, path }) => method === "POST" && path === "/v1/members",
    )
    expect(created).toHaveLength(1)
    await page.getByRole("link", { name: "Open Robin Double" }).click()
    await expect(page.getByRole("heading", { level: 1, name: "Robin Double" })).toBeVisible()
  })
})
