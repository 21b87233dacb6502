import { expect, type Page } from "@playwright/test"
import { countClicks } from "./click-counter.ts"
import { signIn, test } from "./app.ts"
import { countKeys } from "./key-counter.ts"
import { redeemParcels } from "./orders-to-ship.ts"
import { effortWords, sayMeasured } from "./say-measured.ts"
import { postNumber } from "./scanner.ts"
import { orderChanges } from "./ship-ledger.ts"

test("300 tracking numbers from a file: at most 4 clicks, walk away at once, each order changed once", async ({
  page,
  money,
}) => {
  test.setTimeout(240_000)
  const ids = await redeemParcels(money, 300)
  const lines = ids.map((id, at) => `${id},${postNumber(2000 + at)}`)
  const file = csvFile(["Order number,Consignment", ...lines])

  const clicks = await countClicks(page)
  const keys = await countKeys(page)
  await signIn(page, money.app.url, "/orders")
  await expect(page.getByRole("heading", { level: 1, name: "Orders" })).toBeVisible()
  clicks.take()
  keys.take()
  const before = (await money.service.requests()).length
  const started = performance.now()
  await page.getByRole("link", { name: "Import tracking" }).click()
  const chooser = page.waitForEvent("filechooser")
  await page.getByRole("button", { name: "Choose a file" }).click()
  await (await chooser).setFiles(file)
  const send = page.getByRole("button", { name: "Mark 300 orders shipped" })
  await expect(send).toBeEnabled()
  const previewed = performance.now() - started
  const compared = (await money.service.requests()).length - before
  await send.click()
  await expect(page).toHaveURL(/\/jobs\/J/)
  const left = performance.now() - started
  const pressed = clicks.take()
  sayMeasured(test.info(), effortWords("import 300 tracking numbers", pressed, keys.take()))
  sayMeasured(
    test.info(),
    `preview of 300 orders: ${compared} requests, ${seconds(previewed)} from the first click; walked away after ${seconds(left)}`,
  )
  expect(pressed.length).toBeLessThanOrEqual(4)

  // Walked away at once: nobody looks while the job runs.
  const job = page.url()
  await page.goto("about:blank")
  const seen = async () => {
    const changes = await orderChanges(money)
    return ids.map((id) => changes.filter((change) => change.id === id).map(({ after }) => textOf(after)))
  }
  await expect
    .poll(async () => (await seen()).filter((each) => each.length > 0).length, { timeout: 120_000 })
    .toBe(300)
  expect(await seen()).toEqual(ids.map((_, at) => [`shipped ${postNumber(2000 + at)} Australia Post`]))
  await page.goto(job)
  await expect(page.getByRole("main").locator("header").getByText("Done", { exact: true })).toBeVisible()
})

test("a wrong order id is found before anything is sent, and mended in the grid", async ({ page, money }) => {
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
  // Found out before anything is sent, and mended in the grid.
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

test("slips and the pick list print without Laurel around them, a page for each order", async ({
  page,
  money,
}) => {
  const ids = await redeemParcels(money, 12)
  await signIn(page, money.app.url, `/orders/print?ids=${ids.join(",")}`)
  const papers = page.getByRole("article")
  await expect(papers).toHaveCount(12)
  await expect(page.getByRole("button", { name: "Print" })).toBeEnabled()
  await page.emulateMedia({ media: "print" })
  await expect(page.getByRole("navigation").first()).toBeHidden()
  await expect(page.getByRole("button", { name: "Print" })).toBeHidden()
  await expect(papers.first()).toBeVisible()
  expect(await pagesOf(page)).toBe(12)
  // As wide as the sheet, not as what stands on it.
  const [paper, window] = [await papers.first().boundingBox(), page.viewportSize()]
  expect(paper?.width).toBe(window?.width)

  await page.emulateMedia({ media: null })
  await page.getByText("Pick list", { exact: true }).click()
  await expect(page.getByRole("article", { name: "Pick list" })).toBeVisible()
  expect(await pagesOf(page)).toBeLessThanOrEqual(2)
})

/** Pages of what leaves the printer. */
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

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
