import { expect, type Page } from "@playwright/test"
import { awardFile, plainRows } from "./award-file.ts"
import { signIn, watch } from "./desk.ts"
import { test, type MoneyDesk } from "./money-desk.ts"
import { newUser } from "../support/new-user.ts"

test.describe("a file of awards that is not sent yet", () => {
  test("survives a reload, signing out and a closed tab; nobody else sees it", async ({ page, context, money }) => {
    await signIn(page, money.desk.url)
    const ids = await money.service.memberIds(8)
    await openFile(page, money, [...plainRows(ids, "October volume tier"), ["", "750", "October volume tier"]])
    const panel = page.getByRole("complementary", { name: "What will happen" })
    await expect(panel.getByText("1 problem", { exact: true })).toBeVisible()

    // A cell mended is part of the draft.
    const cell = page.getByRole("grid").locator("[data-cell='0:2']")
    await cell.dblclick()
    await page.keyboard.press("ControlOrMeta+a")
    await page.keyboard.type("950")
    await page.keyboard.press("Enter")
    await expect(cell).toHaveText("950")
    const effect = (await panel.getByRole("button", { name: /^Award/ }).textContent()) ?? ""
    await page.waitForTimeout(600)
  })
})
