import { expect, type Page } from "@playwright/test"
import { enter, test } from "./app.ts"
import { anaSilva } from "./members.ts"
import { pagesOf, stillness, visit } from "./places.ts"
import { programPlacesOf } from "./program-places.ts"
import { whatSticksOut } from "./what-sticks-out.ts"

const wide = { width: 1440, height: 900 }
const sizes = [wide, { width: 820, height: 1180 }, { width: 390, height: 844 }, { width: 320, height: 640 }]

test.describe.configure({ mode: "parallel" })

/** What sticks out of a place at any of the sizes; it is opened once and then made narrower. */
async function outside(page: Page, name: string): Promise<string[]> {
  const found: string[] = []
  for (const size of sizes) {
    await page.setViewportSize(size)
    await stillness(page)
    found.push(...(await whatSticksOut(page)).map((part) => `${name} at ${size.width}: ${part}`))
  }
  await page.setViewportSize(wide)
  return found
}

const partsOf = {
  "members, points, gift cards and settings": async (page: Page) => pagesOf(await anaSilva(page)),
  "rewards, orders and leaderboards": programPlacesOf,
}

for (const [part, placesOf] of Object.entries(partsOf)) {
  test(`nothing sticks out at any size: ${part}`, async ({ page, builtIn }) => {
    test.setTimeout(240_000)
    await page.goto(`${builtIn.url}/sign-in`)
    await expect(page.getByRole("button", { name: /Administrator/ })).toBeVisible()
    const found = await outside(page, "sign in")
    await enter(page, builtIn.url, "Administrator", "/members")
    for (const place of await placesOf(page)) {
      await visit(page, builtIn.url, place)
      found.push(...(await outside(page, place.name)))
    }
    expect(found).toEqual([])
  })
}
