import { expect, type Locator, type Page } from "@playwright/test"
import { enter, test } from "./app.ts"

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

/** Drags from one place to another as a hand does, in steps. */
async function drag(page: Page, from: readonly [number, number], to: readonly [number, number]) {
  await page.mouse.move(...from)
  await page.mouse.down()
  // What follows the pointer is fetched with the first press.
  await page.waitForLoadState("networkidle")
  await page.mouse.move((from[0] + to[0]) / 2, from[1], { steps: 4 })
  await page.mouse.move(...to, { steps: 4 })
  await page.mouse.up()
}

test("columns are dragged to a place and a width, by keyboard too, and stay so", async ({
  page,
  builtIn,
}) => {
  await enter(page, builtIn.url, "manager", "/members")
  await expect(page.locator("[data-row]").first()).toBeVisible()
  const before = await heads(page)
  const [first = "", second = "", third = ""] = before

  // The place: the third onto the first.
  const [target, moved] = [await boxOf(head(page, first)), await boxOf(head(page, third))]
  const middle = target.y + target.height / 2
  await drag(page, [moved.x + 20, middle], [target.x + 10, middle])
  await expect.poll(() => heads(page)).toEqual([third, first, second, ...before.slice(3)])

  // The width, at the right edge.
  const wide = await boxOf(head(page, second))
  await drag(page, [wide.x + wide.width - 3, middle], [wide.x + wide.width + 57, middle])
  await expect
    .poll(async () => Math.round((await boxOf(head(page, second))).width))
    .toBeGreaterThan(wide.width + 50)

  await page.reload()
  await expect.poll(() => heads(page)).toEqual([third, first, second, ...before.slice(3)])
  expect(Math.round((await boxOf(head(page, second))).width)).toBeGreaterThan(wide.width + 50)

  await page.getByRole("button", { name: "Columns" }).click()
  // Those that are hidden have their places, too.
  const up = page.getByRole("button", { name: `Move up: ${first}` })
  await expect(async () => {
    if (await up.isEnabled()) await up.press("Enter")
    await expect(up).toBeDisabled({ timeout: 100 })
  }).toPass()
  await expect.poll(() => heads(page)).toEqual([first, third, second, ...before.slice(3)])
  await page.getByRole("button", { name: "Reset" }).click()
  await expect.poll(() => heads(page)).toEqual(before)
})
