import { expect, type Page } from "@playwright/test"
import { signIn, test } from "./app.ts"
import { redeemParcels } from "./orders-to-ship.ts"

test("packing slips print one page per order without the app's frame, the pick list as well", async ({
  page,
  money,
}) => {
  const ids = await redeemParcels(money, 12)
  await signIn(page, money.app.url)
  const address = `Dispatch\n${"Unbreakable".repeat(12)}\nGympie QLD 4570`
  const sender = { headers: { "X-Laurel": "1" }, data: { address } }
  expect((await page.request.put(`${money.app.url}/api/settings/sender`, sender)).ok()).toBe(true)
  await page.goto(`${money.app.url}/orders/print?ids=${ids.join(",")}`)
  const papers = page.getByRole("article")
  await expect(papers).toHaveCount(12)
  await expect(page.getByRole("button", { name: "Print" })).toBeEnabled()
  await page.emulateMedia({ media: "print" })
  await expect(page.getByRole("navigation").first()).toBeHidden()
  await expect(page.getByRole("button", { name: "Print" })).toBeHidden()
  await expect(papers.first()).toBeVisible()
  expect(await pagesOf(page)).toBe(12)
  // As wide as the sheet, not as its content.
  const [paper, window] = [await papers.first().boundingBox(), page.viewportSize()]
  expect(paper?.width).toBe(window?.width)
  // A long word does not overflow its column: the printer would shrink every page.
  const columns = papers.first().locator("section")
  expect(await columns.evaluateAll((all) => all.map((each) => each.scrollWidth - each.clientWidth))).toEqual([
    0, 0,
  ])

  await page.emulateMedia({ media: null })
  await page.getByText("Pick list", { exact: true }).click()
  await expect(page.getByRole("article", { name: "Pick list" })).toBeVisible()
  expect(await pagesOf(page)).toBeLessThanOrEqual(2)
})

/** Number of printed pages. */
async function pagesOf(page: Page): Promise<number> {
  const pdf = await page.pdf({ preferCSSPageSize: true })
  return pdf.toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0
}
