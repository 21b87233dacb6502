import { expect } from "@playwright/test"
import { enter, test } from "./app.ts"
import { anaSilva } from "./members.ts"

test.describe("pages by role", () => {
  test("a packer sees names and ids, no search and no audit of others", async ({ page, builtIn }) => {
    await enter(page, builtIn.url, "fulfilment", "/members")
    await expect(page.getByRole("table").getByRole("row").nth(1)).toBeVisible()
    await expect(page.getByRole("columnheader", { name: "E-mail" })).toHaveCount(0)
    await expect(page.getByRole("searchbox")).toHaveCount(0)
    await expect(page.getByText(/@/)).toHaveCount(0)
  })

  test("a viewer reads the ledger, has no phone number and no audit log", async ({ page, builtIn }) => {
    await enter(page, builtIn.url, "viewer")
    const member = await anaSilva(page, builtIn.url)
    await page.goto(`${builtIn.url}/members/${member}`)
    await expect(page.getByRole("columnheader", { name: "Balance after" })).toBeVisible()
    await expect(page.getByText("+61")).toHaveCount(0)
    await expect(page.getByRole("link", { name: "Audit log" })).toHaveCount(0)
    await page.goto(`${builtIn.url}/audit`)
    await expect(page.getByText("Your role can’t view the audit log")).toBeVisible()
  })

  test("a manager cannot open users", async ({ page, builtIn }) => {
    await enter(page, builtIn.url, "manager", "/settings/users")
    await expect(page.getByText(/requires the administrator role/i).first()).toBeVisible()
  })
})
