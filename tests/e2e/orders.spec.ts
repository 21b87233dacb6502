import { expect } from "@playwright/test"
import * as z from "zod/mini"
import { orderReader, shipmentOf } from "../../contract/program/order.ts"
import { countClicks } from "./click-counter.ts"
import { enter, test } from "./app.ts"
import { countKeys } from "./key-counter.ts"
import { effortWords, sayMeasured } from "./say-measured.ts"

const shownOrder = z.object({ data: orderReader.tolerant })

test.describe("orders", () => {
  test("“where is my order?”: the palette finds it by its number and leads to the carrier", async ({
    page,
    builtIn,
  }) => {
    const keys = await countKeys(page)
    const clicks = await countClicks(page)
    await enter(page, builtIn.url, "manager", "/orders?status=shipped")
    const shipped = page
      .getByRole("row")
      .filter({ hasText: /Australia Post|StarTrack/ })
      .first()
    await expect(shipped).toBeVisible()
    const number = (await shipped.getAttribute("data-row")) ?? ""
    await page.goto(`${builtIn.url}/members`)
    await expect(page.getByRole("table").getByRole("row").nth(1)).toBeVisible()

    keys.take()
    clicks.take()
    await page.keyboard.press("ControlOrMeta+k")
    await page.keyboard.type(number.replace(/^\D+/, ""))
    await page.keyboard.press("Enter")
    await expect(page.getByRole("heading", { level: 1, name: number })).toBeVisible()
    const link = page.getByRole("link", { name: /^Track at / })
    await expect(link).toHaveAttribute("href", /^https:\/\//)
    const pressed = keys.take()
    sayMeasured(test.info(), effortWords("where is my order", clicks.take(), pressed))
    expect(pressed.length).toBeLessThanOrEqual(number.length + 2)
  })

  test("“where is my order?” with the parcel's number alone: the palette finds its order and leads to the carrier", async ({
    page,
    builtIn,
  }) => {
    const keys = await countKeys(page)
    const clicks = await countClicks(page)
    await enter(page, builtIn.url, "manager", "/orders?status=shipped")
    const shipped = page.getByRole("row").filter({ hasText: /Australia Post|StarTrack/ })
    await expect(shipped.first()).toBeVisible()
    const id = (await shipped.first().getAttribute("data-row")) ?? ""
    const { data } = shownOrder.parse(
      await (await page.request.get(`${builtIn.url}/api/program/orders/${id}`)).json(),
    )
    const number = shipmentOf(data).tracking_number ?? ""
    expect(number.length).toBeGreaterThan(7)
    // Another page, so that the browser holds no order.
    await page.goto(`${builtIn.url}/members`)
    await expect(page.getByRole("table").getByRole("row").nth(1)).toBeVisible()

    keys.take()
    clicks.take()
    const asked: string[] = []
    page.on("request", (request) => {
      if (request.url().includes("/api/program/orders")) asked.push(request.url())
    })
    await page.keyboard.press("ControlOrMeta+k")
    await page.keyboard.type(number)
    await expect(page.getByRole("option", { name: new RegExp(`^Track ${number} at `) })).toBeVisible()
    expect(asked).toEqual([])
    await page.keyboard.press("Enter")
    await expect(page.getByRole("heading", { level: 1, name: id })).toBeVisible()
    await expect(page.getByRole("link", { name: /^Track at / })).toHaveAttribute("href", /^https:\/\//)
    const pressed = keys.take()
    sayMeasured(test.info(), effortWords("where is my order, by its tracking number", clicks.take(), pressed))
    expect(pressed.length).toBeLessThanOrEqual(number.length + 2)
  })

  test("a parcel is sent by hand in its row with one click, its number and Enter", async ({
    page,
    builtIn,
  }) => {
    const clicks = await countClicks(page)
    await enter(page, builtIn.url, "fulfilment", "/orders?status=to-ship")
    const row = page.locator("[data-row]").first()
    await expect(row).toBeVisible()
    const id = (await row.getAttribute("data-row")) ?? ""

    clicks.take()
    await row.hover()
    await page.getByRole("link", { name: `Add tracking to ${id}` }).click()
    await expect(page.getByLabel(/^Tracking number/)).toBeFocused()
    await page.keyboard.type("0099001122")
    await page.keyboard.press("Enter")
    await expect(page.getByText(`${id} is shipped now`)).toBeVisible()
    const pressed = clicks.take()
    sayMeasured(test.info(), effortWords("ship by hand", pressed, []))
    expect(pressed.length).toBeLessThanOrEqual(1)

    await expect(page.getByRole("dialog")).toBeHidden()
    await expect(page).toHaveURL(/status=to-ship/)
    await expect(page.locator(`[data-row="${id}"]`)).toHaveCount(0)
    await page.goto(`${builtIn.url}/orders/${id}`)
    await expect(page.getByText("0099001122").first()).toBeVisible()
  })

  test("on a phone and a tablet tracking is added from the list with two taps and its number", async ({
    browser,
    builtIn,
  }) => {
    for (const [kind, viewport] of [
      ["phone", { width: 390, height: 844 }],
      ["tablet", { width: 820, height: 1180 }],
    ] as const) {
      const page = await browser.newPage({ viewport, hasTouch: true, isMobile: true })
      const clicks = await countClicks(page)
      await enter(page, builtIn.url, "fulfilment", "/orders?status=to-ship")
      const row = page.locator("[data-row]").first()
      await expect(row).toBeVisible()
      const id = (await row.getAttribute("data-row")) ?? ""
      const number = `00990033${viewport.width}`

      clicks.take()
      await page.getByRole("link", { name: `Add tracking to ${id}` }).tap()
      await expect(page.getByLabel(/^Tracking number/)).toBeFocused()
      await page.keyboard.type(number)
      await page.getByRole("button", { name: "Ship", exact: true }).tap()
      await expect(page.getByText(new RegExp(`^${id} (is shipped now|shipped)`))).toBeVisible()
      const pressed = clicks.take()
      sayMeasured(test.info(), effortWords(`ship by touch, ${kind}`, pressed, []))
      expect(pressed.length).toBeLessThanOrEqual(2)
      await page.close()
    }
  })

  test("by its pencil a member is edited in the row, with the mouse a field and by touch all plain ones", async ({
    browser,
    builtIn,
  }) => {
    for (const [viewport, touch, fields] of [
      [{ width: 1440, height: 900 }, false, ["Company"]],
      [{ width: 390, height: 844 }, true, ["First name", "Last name", "Company", "Phone"]],
    ] as const) {
      const page = await browser.newPage({ viewport, hasTouch: touch, isMobile: touch })
      await enter(page, builtIn.url, "manager", "/members")
      const cell = page.locator(`[data-edit="${touch ? "name" : "company"}"]`).nth(3)
      await cell.hover()
      const { x, y, width, height } = (await cell.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
      const pencil = [x + width - 16, y + height / 2] as const
      await (touch ? page.touchscreen.tap(...pencil) : page.mouse.click(...pencil))
      const form = page.getByRole("dialog")
      await expect(form.getByRole("textbox").first()).toBeFocused()
      for (const field of fields) await expect(form.getByLabel(field)).toBeInViewport({ ratio: 1 })
      await expect(form.getByRole("textbox")).toHaveCount(fields.length)
      await form.getByLabel("Company").fill(`Tidal Air ${viewport.width}`)
      await form.getByRole("button", { name: "Save" }).click()
      await expect(page.getByText("Changes saved")).toBeVisible()
      await expect(form).toBeHidden()
      await expect(page.getByText(`Tidal Air ${viewport.width}`)).toBeVisible()
      await expect(page).toHaveURL(/\/members$/)
      await page.close()
    }
  })
})
