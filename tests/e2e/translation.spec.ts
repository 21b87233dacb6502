import { expect, type Page } from "@playwright/test"
import { enter, test } from "./app.ts"

/** Replaces every text by `<font>` when it appears, as browser translators do, even with `translate="no"`. */
function translateAll(): void {
  const replace = (text: Text) => {
    const parent = text.parentElement
    if (parent === null || text.data.trim() === "" || parent.closest("font, script, style, title")) return
    const [outer, inner] = [document.createElement("font"), document.createElement("font")]
    inner.textContent = `${text.data}·`
    outer.append(inner)
    text.replaceWith(outer)
  }
  const all = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode)
    for (const text of texts) replace(text)
  }
  new MutationObserver((records) => {
    for (const { addedNodes, target } of records) {
      for (const node of addedNodes) all(node)
      if (target instanceof Text && target.isConnected) replace(target)
    }
    Object.assign(window, { translated: document.querySelectorAll("font").length })
  }).observe(document, { childList: true, subtree: true, characterData: true })
}

const mainPages = [
  "/",
  "/members",
  "/rewards",
  "/orders",
  "/orders/ship",
  "/cards",
  "/leaderboards",
  "/jobs",
  "/audit",
  "/settings",
]

const main = (page: Page) => page.locator("main")

test("a browser translator breaks none of the ten main pages", async ({ page, builtIn }) => {
  await page.addInitScript(translateAll)
  await enter(page, builtIn.url, "admin", "/")
  await expect(page.locator("html")).toHaveAttribute("translate", "no")
  for (const path of mainPages) {
    await page.locator(`nav a[href="${path}"]`).first().click()
    await expect(main(page).getByRole("heading", { level: 1 })).toBeVisible()
    await expect(main(page).locator("font").first()).toBeVisible()
  }
  // Updates within a page: rows of a list, palette results, an order at the ship desk.
  await page.locator('nav a[href="/members"]').first().click()
  const search = main(page).getByRole("textbox", { name: /Search/ })
  await search.fill("ana silva")
  await expect(page.getByRole("table").getByRole("row")).toHaveCount(2)
  await search.fill("")
  await expect(page.getByRole("table").getByRole("row").nth(5)).toBeVisible()
  await page.keyboard.press("Control+k")
  await page.keyboard.type("ana")
  await expect(page.getByRole("option").filter({ hasText: "Ana· Silva·" }).first()).toBeVisible()
  await page.keyboard.press("Backspace")
  await page.keyboard.press("Backspace")
  await page.keyboard.type("ward")
  await expect(page.getByRole("listbox", { name: "Results" }).getByRole("option").first()).toBeVisible()
  await page.keyboard.press("Escape")
  await page.locator('nav a[href="/orders/ship"]').first().click()
  await page.getByRole("complementary").getByRole("button").nth(1).click()
  await page.keyboard.press("Escape")
  await expect(page.getByRole("heading", { level: 1, name: /Ship desk/ })).toBeVisible()
  expect(await page.evaluate(() => Reflect.get(window, "translated"))).toBeGreaterThan(50)
})
