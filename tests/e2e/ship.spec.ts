import { expect, type Page } from "@playwright/test"
import { signIn, test } from "./app.ts"
import type { MoneyApp } from "./money-app.ts"
import { plugScanner, postNumber, type Scanner } from "./scanner.ts"
import { queuedOrders, redeemParcels } from "./orders-to-ship.ts"

test.describe("the ship desk", () => {
  test("loses, doubles and overwrites nothing during a network cut, rate limiting and a reload", async ({
    page,
    context,
    money,
  }) => {
    const orders = await openApp(page, money, 8)
    const scanner = await plugScanner(page)
    const parcels = orders.slice(0, 8).map((id, index) => ({ id, number: postNumber(500 + index) }))
    const [, , , taken] = parcels
    if (taken === undefined) throw new Error("There are no orders to ship.")
    let shipped = 0
    const shipNext = async (count: number) => {
      for (const parcel of parcels.slice(shipped, shipped + count)) {
        await ship(page, scanner, parcel, shipped)
        shipped += 1
      }
    }

    // The response to one POST of a job is lost.
    let lost = 0
    await page.route("**/api/jobs", async (route) => {
      if (route.request().method() !== "POST" || lost > 0) return route.continue()
      lost += 1
      await route.fetch()
      return route.abort("connectionreset")
    })
    await shipNext(2)
    await expect.poll(() => lost).toBe(1)

    await context.setOffline(true)
    await expect(page.getByText(/^Offline since/)).toBeVisible()
    // Another client ships one of them meanwhile.
    await money.service.request("PATCH", `/v1/orders/${taken.id}`, {
      status: "shipped",
      tracking_number: "THEIRS-1",
      carrier: "DHL",
    })
    await shipNext(3)
    await expect(page.getByText(/\d parcels in the outbox\./)).toBeVisible()

    await money.service.fault({ match: { path: "/v1/orders*", times: 3 }, kind: "429" })
    await context.setOffline(false)
    await shipNext(1)
    await reloadDesk(page)
    await shipNext(2)

    // All but the conflicting one are saved automatically; the conflict shows both versions.
    const outbox = page.getByRole("region", { name: "Outbox" })
    await expect(outbox.getByRole("listitem")).toHaveCount(1)
    await expect(outbox).toContainText(taken.id)
    await expect(outbox).toContainText("THEIRS-1")
    await expect(outbox).toContainText(taken.number)
    await page.getByRole("button", { name: "Yes, a second box" }).press("Enter")
    await expect(page.getByText("All saved")).toBeVisible()

    await expectShipped(
      money,
      parcels.filter((parcel) => parcel !== taken),
    )
    const theirs = (await money.service.effects("order-update")).filter(({ id }) => id === taken.id)
    expect(theirs.map(({ after }) => after["tracking_number"])).toEqual(["THEIRS-1"])
    // All of them are rows of the session's one job.
    await page.goto(new URL("/jobs", page.url()).href)
    await page.getByRole("link", { name: "Shipping parcels" }).press("Enter")
    await expect(page.getByRole("link", { name: parcels[0]?.id ?? "", exact: true })).toBeVisible()
    await expect(page.getByText(`${parcels.length} of ${parcels.length} rows`)).toBeVisible()
  })
})

interface Shipment {
  readonly id: string
  readonly number: string
}

/** Reloads the ship desk and waits until its queue and field are ready. */
async function reloadDesk(page: Page): Promise<void> {
  await page.reload()
  await expect(
    page.getByRole("complementary", { name: "To ship" }).getByRole("listitem").first(),
  ).toBeVisible()
  await expect(page.getByRole("textbox", { name: "Scan the order" })).toBeFocused()
}

/** Opens the ship desk with at least `count` queued orders; returns their ids in order. */
async function openApp(page: Page, money: MoneyApp, count: number): Promise<readonly string[]> {
  await redeemParcels(money, count)
  await signIn(page, money.app.url)
  await page.goto(`${money.app.url}/orders/ship`)
  const queue = page.getByRole("complementary", { name: "To ship" })
  await expect(queue.getByRole("listitem").nth(count - 1)).toBeVisible()
  await expect(page.getByRole("textbox", { name: "Scan the order" })).toBeFocused()
  return queuedOrders(page)
}

/** Scans order and label, every other time without Enter, and waits for the visible result. */
async function ship(page: Page, scanner: Scanner, { id, number }: Shipment, index: number): Promise<void> {
  const ends = index % 2 === 0 ? "enter" : "nothing"
  await scanner.scan(id, ends)
  await expect(page.getByRole("textbox", { name: "Scan the parcel" })).toBeFocused()
  await scanner.scan(number, ends)
  await expect(page.getByRole("textbox", { name: "Scan the order" })).toBeFocused()
  await expect(page.getByText(number).first()).toBeVisible()
}

/** Expects exactly one update per order, to the scanned number. */
async function expectShipped(money: MoneyApp, parcels: readonly Shipment[]): Promise<void> {
  const changes = await money.service.effects("order-update")
  const changed = parcels.map(({ id }) =>
    changes
      .filter((change) => change.id === id)
      .map(({ after }) => `${after["status"]} ${after["tracking_number"]} ${after["carrier"]}`),
  )
  expect(changed).toEqual(parcels.map(({ number }) => [`shipped ${number} Australia Post`]))
}
