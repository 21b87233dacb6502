import { expect, type Page } from "@playwright/test"
import { signIn, test } from "./app.ts"
import { redeemParcels } from "./orders-to-ship.ts"
import { postNumber } from "./scanner.ts"
import { orderChanges } from "./ship-ledger.ts"

test("a wrong order id is reported before anything is sent and corrected in the grid", async ({
  page,
  money,
}) => {
  const [first = "", second = ""] = await redeemParcels(money, 2)
  await signIn(page, money.app.url, "/orders/tracking-file")
  const chooser = page.waitForEvent("filechooser")
  await page.getByRole("button", { name: "Choose a file" }).click()
  const file = csvFile([
    "Order number,Tracking",
    `${first},${postNumber(3000)}`,
    `ord_none,${postNumber(3001)}`,
  ])
  await (await chooser).setFiles(file)
  await expect(page.getByText("The service has no such order")).toBeVisible()
  await page.getByRole("gridcell", { name: /ord_none/ }).dblclick()
  await page.keyboard.press("ControlOrMeta+a")
  await page.keyboard.type(second)
  await page.keyboard.press("Enter")
  await page.getByRole("button", { name: "Mark 2 orders shipped" }).click()
  await expect(page).toHaveURL(/\/jobs\/J/)
  await expect
    .poll(async () =>
      (await orderChanges(money)).filter(({ id }) => id === second).map(({ after }) => textOf(after)),
    )
    .toEqual([`shipped ${postNumber(3001)} Australia Post`])
})

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

function csvFile(lines: readonly string[]) {
  return { name: "tracking.csv", mimeType: "text/csv", buffer: Buffer.from(lines.join("\r\n")) }
}

function textOf(after: Readonly<Record<string, unknown>>): string {
  return `${String(after["status"])} ${String(after["tracking_number"])} ${String(after["carrier"])}`
}
