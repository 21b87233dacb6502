import { expect, type Page } from "@playwright/test"
import { signIn, test } from "./app.ts"
import type { MoneyApp } from "./money-app.ts"
import { reportMeasurement } from "./report-measurement.ts"
import { plugScanner, postNumber, type Scanner } from "./scanner.ts"
import { changeElsewhere, orderChanges, ensurePendingOrders, queuedOrders } from "./ship-ledger.ts"

/** How long the network is cut, ms. */
const cutMs = 60_000

test.describe("the ship desk", () => {
  test("ships 24 orders by scanner as one job", async ({ page, money }) => {
    const orders = await openApp(page, money, 40)
    const scanner = await plugScanner(page)
    const parcels = orders.slice(0, 24).map((id, index) => ({ id, number: postNumber(100 + index) }))
    const started = performance.now()
    for (const [index, parcel] of parcels.entries()) await ship(page, scanner, parcel, index)
    const scanned = performance.now() - started
    await expect(page.getByText("All saved")).toBeVisible()
    const saved = performance.now() - started
    const rate = (ms: number) => (parcels.length / (ms / 60_000)).toFixed(0)
    reportMeasurement(
      test.info(),
      `ship by scanner: ${rate(scanned)} orders a minute scanned, ${rate(saved)} saved`,
    )
    await expectShipped(money, parcels)
    await page.goto(new URL("/jobs", page.url()).href)
    await page.getByRole("link", { name: "Shipping parcels" }).press("Enter")
    await expect(page.getByRole("link", { name: parcels[0]?.id ?? "", exact: true })).toBeVisible()
    await expect(page.getByText("24 of 24 rows")).toBeVisible()
  })

  test("loses, doubles and overwrites nothing during a network cut, rate limiting and a reload", async ({
    page,
    context,
    money,
  }) => {
    const orders = await openApp(page, money, 14)
    const scanner = await plugScanner(page)
    const parcels = orders.slice(0, 14).map((id, index) => ({ id, number: postNumber(500 + index) }))
    const [taken = parcels[0]] = parcels.slice(4, 5)
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
    await shipNext(3)
    await expect.poll(() => lost).toBe(1)

    const cutAt = performance.now()
    await context.setOffline(true)
    await expect(page.getByText(/^Offline since/)).toBeVisible()
    // Another client ships one of them meanwhile.
    await changeElsewhere(money, taken.id, { status: "shipped", tracking_number: "THEIRS-1", carrier: "DHL" })
    await shipNext(5)
    await expect(page.getByText(/\d parcels in the outbox\./)).toBeVisible()
    await expect.poll(() => performance.now() - cutAt, { timeout: 2 * cutMs }).toBeGreaterThan(cutMs)

    await money.service.fault({ match: { path: "/v1/orders*", times: 12 }, kind: "429" })
    await context.setOffline(false)
    await shipNext(3)
    await reloadDesk(page)
    await shipNext(3)

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
    const theirs = (await orderChanges(money)).filter(({ id }) => id === taken.id)
    expect(theirs.map(({ after }) => after["tracking_number"])).toEqual(["THEIRS-1"])
    reportMeasurement(
      test.info(),
      `ship desk in trouble, ${cutMs / 1000} s without network: ${parcels.length} parcels, 0 lost, 0 doubled, 0 overwritten`,
    )
  })

  // Last: the undone order is pending again, with changes that the other tests count.
  test("saves no parcel on a wrong order, starts over on a reload, undoes and corrects parcels", async ({
    page,
    money,
  }) => {
    const [a = "", b = "", c = "", d = ""] = await openApp(page, money, 6)
    const scanner = await plugScanner(page)
    const [forA, forB, forC, forD] = [postNumber(901), postNumber(902), postNumber(903), postNumber(904)]
    const right = postNumber(905)
    const scan = (code: string, index = 0) => scanner.scan(code, index % 2 === 0 ? "enter" : "nothing")
    const asksFor = (what: "order" | "parcel") =>
      expect(page.getByRole("textbox", { name: `Scan the ${what}` })).toBeFocused()

    // An unknown order while another one is open: the next label belongs to none.
    await scan(a)
    await asksFor("parcel")
    await scan("ord_999999")
    await expect(page.getByText("No order has the id ord_999999", { exact: true })).toBeVisible()
    await scan(forB)
    await expect(page.getByText(`No order has the id ${forB}`, { exact: true })).toBeVisible()

    // Another order in the queue: the desk switches to it.
    await scan(a)
    await asksFor("parcel")
    await scan(b, 1)
    await expect(page.getByText(`Switched to ${b}`, { exact: true })).toBeVisible()
    await scan(forB, 1)
    await asksFor("order")

    // An unclear scan while an order is open: the next label needs a confirmation.
    await scan(c)
    await asksFor("parcel")
    await scan("9.4E+21")
    await expect(page.getByText("Not a valid tracking number", { exact: true })).toBeVisible()
    await scan(forD)
    await expect(page.getByText(`Is ${forD} the parcel for ${c}?`, { exact: true })).toBeVisible()
    await page.keyboard.press("n")
    await asksFor("order")

    // A reload between two scans: the label belongs to no order until the order is scanned again.
    await scan(a)
    await asksFor("parcel")
    const reloaded = Date.now()
    await setDates(page, reloaded)
    await page.reload()
    await asksFor("order")
    await scan(forA)
    await expect(page.getByText(`No order has the id ${forA}`, { exact: true })).toBeVisible()
    await scan(a)
    await asksFor("parcel")
    await scan(forA)
    await asksFor("order")
    await scan(d)
    await asksFor("parcel")
    await scan(forD)
    await asksFor("order")
    await expect(page.getByText("All saved")).toBeVisible()
    await expectShipped(money, [
      { id: a, number: forA },
      { id: b, number: forB },
      { id: d, number: forD },
    ])

    // Undone within a minute after sending: the order is restored. The next order gets its own number.
    await setDates(page, reloaded)
    await page.getByRole("button", { name: "Undo" }).first().press("Enter")
    await expect(page.getByText("All saved")).toBeVisible()
    await scan(c)
    await asksFor("parcel")
    await scan(forC)
    await asksFor("order")
    await expect(page.getByText("All saved")).toBeVisible()
    // After a minute it is corrected in the order's form.
    await setDates(page, Date.now() + 61_000)
    await page.getByRole("link", { name: `Correct ${c}` }).press("Enter")
    const drawer = page.getByRole("dialog", { name: `Change ${c}` })
    const number = drawer.getByRole("textbox", { name: /Tracking number/ })
    await expect(number).toHaveValue(forC)
    await number.fill(right)
    // The new number is checked first; sending is disabled until then.
    const send = drawer.getByRole("button", { name: `Change ${c} with ${right}` })
    await expect(send).toBeEnabled()
    await send.press("Enter")
    const changes = async (id: string) =>
      (await orderChanges(money))
        .filter((change) => change.id === id)
        .map(({ after }) => `${after["status"]} ${after["tracking_number"]} ${after["carrier"]}`)
    await expect
      .poll(() => changes(c))
      .toEqual([`shipped ${forC} Australia Post`, `shipped ${right} Australia Post`])
    expect(await changes(d)).toEqual([
      `shipped ${forD} Australia Post`,
      expect.stringMatching(/^(pending|processing) null /),
    ])
    reportMeasurement(test.info(), "ship desk, wrong scans: 5 parcels, 0 on the wrong order")
  })
})

interface Shipment {
  readonly id: string
  readonly number: string
}

/** Sets `Date.now` to continue from `at`, again after each reload. Timers and key timestamps stay real. */
async function setDates(page: Page, at: number): Promise<void> {
  const set = (from: number) => {
    const since = performance.now()
    Date.now = () => Math.round(from + performance.now() - since)
  }
  await page.addInitScript(set, at)
  await page.evaluate(set, at)
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
  await ensurePendingOrders(money, count)
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
  const changes = await orderChanges(money)
  const changed = parcels.map(({ id }) =>
    changes
      .filter((change) => change.id === id)
      .map(({ after }) => `${after["status"]} ${after["tracking_number"]} ${after["carrier"]}`),
  )
  expect(changed).toEqual(parcels.map(({ number }) => [`shipped ${number} Australia Post`]))
}
