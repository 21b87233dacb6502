import { startMoneyApp } from "../e2e/money-app.ts"
import { plugScanner, postNumber } from "../e2e/scanner.ts"
import { ensurePendingOrders, queuedOrders } from "../e2e/ship-ledger.ts"
import { admin } from "../support/app-process.ts"
import { openBrowser } from "./bytes.ts"
import type { Figure } from "./report.ts"

const parcels = 24
/** Response time of the service, in ms. */
const serviceTime = 80

/**
 * Time per parcel at the ship desk with a scanner, in s: two scans, each after 0.4 s for handling, until the desk is
 * ready for the next order; and until all parcels are saved with 60 requests a minute.
 */
export async function measureShip(): Promise<Figure[]> {
  const money = await startMoneyApp(60)
  const { app, service } = money
  await ensurePendingOrders(money, parcels)
  await service.fault({ kind: "slow", ms: serviceTime })
  const browser = await openBrowser()
  const page = await browser.newPage({ locale: "en-AU", viewport: { width: 1440, height: 900 } })
  await page.context().request.post(`${app.url}/api/session`, { headers: { "X-Laurel": "1" }, data: admin })
  await page.goto(`${app.url}/orders/ship`)
  const waiting = page.getByRole("complementary", { name: "To ship" }).getByRole("listitem")
  await waiting.nth(parcels - 1).waitFor()
  const orders = await queuedOrders(page)
  const scanner = await plugScanner(page)
  const started = performance.now()
  for (const [index, order] of orders.slice(0, parcels).entries()) {
    await scanner.scan(order, "enter")
    await page.getByRole("textbox", { name: "Scan the parcel" }).waitFor()
    await scanner.scan(postNumber(100 + index), "enter")
    await page.getByRole("textbox", { name: "Scan the order" }).waitFor()
  }
  const scanned = performance.now() - started
  await page.getByText("All saved").waitFor({ timeout: 180_000 })
  const saved = performance.now() - started
  await browser.close()
  await app.stop()
  await service.stop()
  const each = (ms: number) => ms / 1000 / parcels
  return [
    { name: "a parcel, until the next order is asked for", value: each(scanned), unit: "s", atMost: 3 },
    { name: "a parcel, until all are saved", value: each(saved), unit: "s", atMost: 3 },
  ]
}
