import { expect } from "@playwright/test"
import { signIn, test } from "./app.ts"
import { countKeys } from "./key-counter.ts"
import { sayMeasured } from "./say-measured.ts"

test.describe("keeping a member's record right", () => {
  test("find a member, read and filter the ledger, change the company and a metadata key, see it in the audit log", async ({
    page,
    staging,
  }) => {
    const keys = await countKeys(page)
    await signIn(page, staging.app.url, "/members")
    await expect(page.getByRole("heading", { level: 1, name: "Members" })).toBeVisible()

    // Typed without waiting for anything: no key may be lost, and Enter opens what was asked for.
    keys.take()
    await page.keyboard.press("ControlOrMeta+k")
    await page.keyboard.type("ana si")
    await page.keyboard.press("Enter")
    await expect(page.getByRole("heading", { level: 1, name: "Ana Silva" })).toBeVisible()
    const pressed = keys.take()
    sayMeasured(test.info(), `find a member: ${pressed.length} keys (${pressed.join(", ")})`)
    expect(pressed.length).toBeLessThanOrEqual(8)

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

  test("a double click on Create makes one member", async ({ page, staging }) => {
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
