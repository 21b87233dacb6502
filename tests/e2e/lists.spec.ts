import { expect, type Locator, type Page } from "@playwright/test"
import { enter, test } from "./app.ts"
import { browserStorage } from "./browser-storage.ts"

const heads = async (page: Page) => {
  const texts = await page.locator("th[data-column]").allTextContents()
  return texts.map((text) => text.trim())
}

const head = (page: Page, name: string) => page.locator("th[data-column]", { hasText: name }).first()

async function boxOf(part: Locator) {
  const box = await part.boundingBox()
  if (box === null) throw new Error("not in view")
  return box
}

/** The box once it no longer moves, as what is above it loads. */
async function restingBoxOf(part: Locator) {
  let box = { x: 0, y: 0, width: 0, height: 0 }
  await expect(async () => {
    const before = box
    box = await boxOf(part)
    expect(box).toEqual(before)
  }).toPass({ intervals: [100] })
  return box
}

/** Drags from one point to another in steps. */
async function drag(page: Page, from: readonly [number, number], to: readonly [number, number]) {
  await page.mouse.move(...from)
  await page.mouse.down()
  await page.mouse.move((from[0] + to[0]) / 2, from[1], { steps: 4 })
  await page.mouse.move(...to, { steps: 4 })
  await page.mouse.up()
}

test("columns are moved and resized by mouse and keyboard, and stay so", async ({ page, builtIn }) => {
  await enter(page, builtIn.url, "manager", "/members")
  await expect(page.locator("[data-row]").first()).toBeVisible()
  const before = await heads(page)
  const [first = "", second = "", third = ""] = before

  // Position: move the third column to the first.
  const [target, moved] = [await boxOf(head(page, first)), await boxOf(head(page, third))]
  const middle = target.y + target.height / 2
  await drag(page, [moved.x + 20, middle], [target.x + 10, middle])
  await expect.poll(() => heads(page)).toEqual([third, first, second, ...before.slice(3)])

  // Width: drag the right edge.
  const wide = await boxOf(head(page, second))
  await drag(page, [wide.x + wide.width - 3, middle], [wide.x + wide.width + 57, middle])
  await expect
    .poll(async () => Math.round((await boxOf(head(page, second))).width))
    .toBeGreaterThan(wide.width + 50)

  // Escape during a drag restores the width.
  const widened = await boxOf(head(page, second))
  await page.mouse.move(widened.x + widened.width - 3, middle)
  await page.mouse.down()
  await page.mouse.move(widened.x + widened.width + 57, middle, { steps: 4 })
  await expect.poll(async () => (await boxOf(head(page, second))).width).toBeGreaterThan(widened.width + 50)
  await page.keyboard.press("Escape")
  await expect.poll(async () => (await boxOf(head(page, second))).width).toBe(widened.width)
  await page.mouse.up()

  await page.reload()
  await expect.poll(() => heads(page)).toEqual([third, first, second, ...before.slice(3)])
  expect(Math.round((await boxOf(head(page, second))).width)).toBeGreaterThan(wide.width + 50)

  await page.getByRole("button", { name: "Columns" }).click()
  // Hidden columns count as positions.
  const up = page.getByRole("button", { name: `Move up: ${first}` })
  await expect(async () => {
    if (await up.isEnabled()) await up.press("Enter")
    await expect(up).toBeDisabled({ timeout: 100 })
  }).toPass()
  await expect.poll(() => heads(page)).toEqual([first, third, second, ...before.slice(3)])
  await page.getByRole("button", { name: "Reset" }).click()
  await expect.poll(() => heads(page)).toEqual(before)
})

test("a view is saved, opened by default, left, renamed and deleted, and not stored in the browser", async ({
  page,
  builtIn,
}) => {
  const { url } = builtIn
  const rows = page.locator("[data-row]")
  const menu = page.getByRole("dialog", { name: "Views" })
  await enter(page, url, "viewer", "/members?status=active&search=silva")
  await expect(rows.first()).toBeVisible()
  await page.getByRole("button", { name: "Columns" }).click()
  await page.getByRole("checkbox", { name: "Tier" }).uncheck()
  await page.keyboard.press("Escape")
  await page.getByRole("button", { name: "Views" }).click()
  await menu.getByRole("button", { name: "Save as a new view" }).click()
  await menu.getByRole("textbox", { name: "Name" }).fill("Silva, active")
  await page.keyboard.press("Enter")
  await expect(page.getByRole("button", { name: "View: Silva, active" })).toBeVisible()

  await page.getByRole("button", { name: "View: Silva, active" }).click()
  await menu.getByRole("checkbox", { name: "Open the list with this view" }).click()
  await expect(menu.getByRole("button", { name: /^Silva, active.*default/ })).toBeVisible()

  // Opened from another page: the view's filters and columns apply.
  await page.goto(url)
  await page.getByRole("link", { name: "Members", exact: true }).click()
  await expect(page).toHaveURL(/\/members\?.*status=active/)
  await expect(page.getByRole("textbox", { name: /^Search/ })).toHaveValue("silva")
  await expect(head(page, "Tier")).toHaveCount(0)

  // The default view is left, and stays left on the way back.
  await page.getByRole("button", { name: "View: Silva, active" }).click()
  await menu.getByRole("button", { name: "All members" }).click()
  await expect(page.getByRole("textbox", { name: /^Search/ })).toHaveValue("")
  await rows.first().getByRole("link").first().click()
  await expect(page.getByRole("heading", { level: 1, name: "Members" })).toHaveCount(0)
  await page.goBack()
  await expect(page.getByRole("button", { name: "Views" })).toBeVisible()
  await expect(rows.first()).toBeVisible()
  await expect(page).not.toHaveURL(/status=/)

  await page.getByRole("button", { name: "Views" }).click()
  await menu.getByRole("button", { name: /^Silva, active/ }).click()
  await page.getByRole("button", { name: "Clear", exact: true }).click()
  await page.getByRole("button", { name: "View: Silva, active, changed" }).click()
  await menu.getByRole("button", { name: "Rename" }).click()
  await menu.getByRole("textbox", { name: "Name" }).fill("Nobody")
  await page.keyboard.press("Enter")
  await expect(page.getByRole("button", { name: "View: Nobody, changed" })).toBeVisible()
  // The form has closed, and the menu has the focus.
  await expect(menu).toBeFocused()
  // The button toggles the menu.
  await page.getByRole("button", { name: "View: Nobody, changed" }).click()
  await expect(menu).toBeHidden()
  await page.getByRole("button", { name: "View: Nobody, changed" }).click()
  await menu.getByRole("button", { name: "Delete" }).click()
  const message = page.getByText("View “Nobody” deleted")
  await expect(message).toBeVisible()
  // The message does not cover the pager.
  const pager = await boxOf(page.getByRole("button", { name: "Next page" }))
  const corner = await boxOf(page.getByRole("status", { name: "Messages" }).getByRole("group").first())
  expect(corner.y + corner.height).toBeLessThanOrEqual(pager.y)
  await expect(page.getByRole("button", { name: "Views" })).toBeVisible()
  expect((await page.evaluate(browserStorage)).toLowerCase()).not.toMatch(/silva|nobody/)
})

test("with a mouse no list scrolls horizontally from 820 px up", async ({ page, builtIn }) => {
  await enter(page, builtIn.url, "admin")
  for (const path of ["/members", "/orders", "/cards", "/jobs", "/audit", "/rewards?view=table"]) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(builtIn.url + path)
    await expect(page.locator("th[data-column]").first()).toBeVisible()
    for (const width of [1280, 1024, 900, 820]) {
      await page.setViewportSize({ width, height: 900 })
      const over = () => page.locator("[data-scroll-restoration-id^=list-]").evaluate(overflow)
      await expect.poll(over, { message: `${path} at ${width}` }).toBe(0)
    }
  }
})

const overflow = (box: Element) => Math.max(0, box.scrollWidth - box.clientWidth)

test("a plain table has the keyboard navigation of a list", async ({ page, builtIn }) => {
  await enter(page, builtIn.url, "admin", "/settings/users")
  const link = (row: number) => page.getByRole("table", { name: "Users" }).getByRole("link").nth(row)
  await expect(link(1)).toBeVisible()
  await page.keyboard.press("j")
  await expect(link(0)).toBeFocused()
  await page.keyboard.press("ArrowDown")
  await expect(link(1)).toBeFocused()
  await page.keyboard.press("k")
  await expect(link(0)).toBeFocused()
  await page.keyboard.press("Enter")
  await expect(page.getByRole("dialog")).toBeVisible()
})

for (const [how, viewport, touch] of [
  ["the mouse", { width: 1440, height: 900 }, false],
  ["touch on a phone", { width: 390, height: 844 }, true],
] as const) {
  test(`a tracking number is edited in its row with ${how} and corrected again`, async ({
    browser,
    builtIn,
  }) => {
    const page = await browser.newPage({ viewport, hasTouch: touch, isMobile: touch })
    await enter(page, builtIn.url, "fulfilment", "/orders?status=shipped")
    const pencils = page.getByRole("button", { name: /^Edit the tracking number of/ })
    const form = page.getByRole("dialog", { name: /^Edit the tracking number of/ })
    const field = form.getByLabel(/^Tracking number/)
    const begin = async (nth: number) => {
      const pencil = pencils.nth(nth)
      const name = (await pencil.getAttribute("aria-label")) ?? ""
      await (touch ? pencil.tap() : pencil.click())
      // The form of another row has the focus until this one is open.
      await expect(page.getByRole("dialog", { name }).getByLabel(/^Tracking number/)).toBeFocused()
    }
    const press = (name: string) => {
      const button = form.getByRole("button", { name })
      return touch ? button.tap() : button.click()
    }
    await begin(3)
    // An unchanged form moves to another row, which it does not cover.
    await begin(1)
    const order = (await form.getAttribute("aria-label"))?.split(" ").at(-1) ?? ""
    await expect(page.locator("[data-row]", { has: page.locator("[data-editing]") })).toContainText(order)
    for (const [nth, last] of ["3", "4"].entries()) {
      const number = `33ABC${viewport.width}${touch ? 1 : 2}0${last}`.padEnd(12, "7")
      await field.fill(number)
      await expect(form.getByText(/^Australia Post, (recognised from the number|as before)/)).toBeVisible()
      await press("Save")
      await expect(form).toBeHidden()
      // On a phone only the form shows the number, once the change is confirmed.
      await expect(async () => {
        await begin(1)
        const shown = await field.inputValue()
        if (nth === 1 || shown !== number) await press("Cancel")
        expect(shown).toBe(number)
      }).toPass()
    }
    await page.close()
  })
}

/** Opens the drawer of the first order without tracking through its row form. */
async function tapToChange(page: Page): Promise<Locator> {
  await page
    .getByRole("button", { name: /^Add tracking to/ })
    .first()
    .tap()
  await page.getByRole("button", { name: "More fields" }).tap()
  return page.getByRole("dialog", { name: /^Edit|^Change/ })
}

test("small controls have touch targets of at least 20 px around their centre; bars and filters fit a small phone", async ({
  browser,
  builtIn,
}) => {
  const page = await browser.newPage({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const tapOffCentre = async (part: Locator, down: number) => {
    const { x, y, width, height } = await restingBoxOf(part)
    await page.touchscreen.tap(x + width / 2, y + height / 2 + down)
  }
  await enter(page, builtIn.url, "manager", "/orders?status=to-ship")
  await tapOffCentre(page.getByRole("button", { name: /^Add tracking to/ }).first(), -20)
  await expect(page.getByRole("dialog").getByLabel(/^Tracking number/)).toBeFocused()
  await page.goto(`${builtIn.url}/orders`)
  const drawer = await tapToChange(page)
  await expect(drawer).toBeVisible()
  await tapOffCentre(drawer.getByRole("button", { name: "Close" }), 20)
  await expect(drawer).toBeHidden()
  await page.goto(`${builtIn.url}/cards`)
  await tapOffCentre(page.getByRole("radio", { name: "Expiring soonest" }), 21)
  await expect(page.getByRole("radio", { name: "Expiring soonest" })).toBeChecked()
  await page.goto(`${builtIn.url}/cards/issue-file`)
  const file = "email,first name,last name,amount,card\na@site.test,Ana,Silva,23,Bunnings"
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "cards.csv", mimeType: "text/csv", buffer: Buffer.from(file) })
  await expect(page.getByText("Amount: $23 isn’t available")).toBeInViewport({ ratio: 1 })
  await tapOffCentre(page.getByRole("button", { name: "Use $25 in row 2" }), 20)
  await expect(page.getByRole("button", { name: "Issue 1 card, $25.00" })).toBeEnabled()
  await page.setViewportSize({ width: 820, height: 1180 })
  await page.goto(`${builtIn.url}/rewards?view=table`)
  const points = page.getByRole("columnheader", { name: "Points" })
  await tapOffCentre(points.getByRole("button"), -20)
  await expect(points).toHaveAttribute("aria-sort", "ascending")

  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(`${builtIn.url}/orders`)
  await page.locator("[data-row] input[type=checkbox]").first().check()
  await page
    .getByRole("region", { name: "Selected rows" })
    .getByRole("button", { name: "Clear the selection" })
    .click()
  await page.getByRole("button", { name: "Created" }).first().click()
  for (const part of ["Last 7 days", "Last month", "Show these days"])
    await expect(page.getByRole("button", { name: part })).toBeInViewport({ ratio: 1 })
  await page.close()
})

test("in forced colours the member bars of the home page are visible", async ({ page, copied }) => {
  await page.emulateMedia({ forcedColors: "active" })
  await enter(page, copied.url, "manager", "/")
  const bar = page.getByRole("list", { name: "Members by status" }).locator("span[aria-hidden] > *").first()
  const coloured = (part: Element) => getComputedStyle(part).backgroundColor
  expect(await bar.evaluate(coloured)).not.toBe(await page.locator("body").evaluate(coloured))
})

test("the error of the focused field is in view, even in a low window", async ({ browser, builtIn }) => {
  const page = await browser.newPage({
    viewport: { width: 390, height: 480 },
    hasTouch: true,
    isMobile: true,
  })
  await enter(page, builtIn.url, "manager", "/members/new")
  const drawer = page.getByRole("dialog")
  await drawer.getByLabel("First name").fill("Noor")
  await drawer.getByLabel("E-mail").fill("noor@site.test")
  // The last name is partly visible, just above the button.
  await drawer.getByRole("button", { name: /^Create/ }).tap()
  await expect(drawer.getByLabel("Last name")).toBeFocused()
  await expect(drawer.getByText("Enter a last name.")).toBeInViewport({ ratio: 1 })
  await page.close()
})

test("the versions of a conflicting order fit a phone without breaking the tracking numbers", async ({
  browser,
  builtIn,
}) => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 }, hasTouch: true })
  await enter(page, builtIn.url, "manager", "/orders?status=to-ship")
  const drawer = await tapToChange(page)
  await drawer.getByLabel(/^Tracking number/).fill("RB123456799AU")
  const [order_id = ""] = /ord_\w+/.exec(page.url()) ?? []
  const theirs = {
    order_id,
    status: "processing",
    tracking_number: "RB123456785AU",
    carrier: "Australia Post",
  }
  const made = await page.request.post(`${builtIn.url}/api/jobs`, {
    headers: { "X-Laurel": "1", "Idempotency-Key": `changed-elsewhere-${order_id}` },
    data: { kind: "order-update", rows: [theirs] },
  })
  expect(made.status()).toBe(201)
  await expect(drawer.getByText("Continue from the latest version")).toBeVisible()
  await drawer.getByRole("button", { name: /^Change ord_/ }).tap()
  for (const number of ["RB123456785AU", "RB123456799AU"]) {
    const shown = drawer.getByRole("definition").getByText(number, { exact: true })
    const { x, width, height } = await restingBoxOf(shown)
    expect(x + width).toBe(374)
    expect(height).toBeLessThan(20)
  }
  await page.close()
})

test("an amount button takes the click that blurs the e-mail field while the error disappears", async ({
  page,
  builtIn,
}) => {
  await enter(page, builtIn.url, "manager", "/cards/issue")
  const form = page.getByRole("dialog")
  await form.getByRole("button", { name: /^Issue/ }).click()
  await expect(form.getByText("Enter a last name.")).toBeVisible()
  await form.getByLabel("Recipient’s e-mail").fill("ana.silva@coastalclimate.com.au")
  await expect(form.getByText("Ana Silva has this e-mail and gets the card")).toBeVisible()
  const amount = form.getByRole("button", { name: "$50", exact: true })
  await amount.click()
  await expect(form.getByLabel("Last name")).toHaveValue("Silva")
  await expect(amount).toHaveAttribute("aria-pressed", "true")
})
