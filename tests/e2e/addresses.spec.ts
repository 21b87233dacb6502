import { expect } from "@playwright/test"
import { enter, test } from "./app.ts"
import { anaSilva } from "./members.ts"

test.describe("addresses", () => {
  test("back and forward restore filters, a member and its tabs", async ({ page, builtIn }) => {
    await enter(page, builtIn.url, "manager", "/members?search=silva")
    await page.getByRole("link", { name: "Ana Silva" }).first().click()
    await expect(page.getByRole("heading", { level: 1, name: "Ana Silva" })).toBeVisible()
    await page.getByRole("link", { name: "Details" }).click()
    await expect(page).toHaveURL(/\/details/)

    await page.goBack()
    await expect(page.getByRole("columnheader", { name: "Balance after" })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole("heading", { level: 1, name: "Members" })).toBeVisible()
    await expect(page.getByRole("textbox", { name: /^Search/ })).toHaveValue("silva")
    await page.goForward()
    await expect(page.getByRole("heading", { level: 1, name: "Ana Silva" })).toBeVisible()
  })

  test("a deep link opens after signing in, including a dialog over its page", async ({ page, builtIn }) => {
    await enter(page, builtIn.url, "manager")
    const member = await anaSilva(page, builtIn.url)
    await page.context().clearCookies()

    await page.goto(`${builtIn.url}/members/${member}/edit?type=redeem`)
    await page.getByRole("button", { name: /Manager/ }).click()
    await expect(page.getByRole("dialog", { name: "Edit Ana Silva" })).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`/members/${member}/edit\\?type=redeem`))
    await page.getByRole("button", { name: "Close" }).click()
    await expect(page).toHaveURL(new RegExp(`/members/${member}\\?type=redeem`))
  })
})
