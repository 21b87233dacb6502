import { expect } from "@playwright/test"
import { enter, test } from "./app.ts"
import { anaSilva } from "./members.ts"
import { pagesOf, visit } from "./places.ts"
import { programPlacesOf } from "./program-places.ts"
import { whatSticksOut } from "./what-sticks-out.ts"

const sizes = [
  { width: 1440, height: 900 },
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
]

test.describe.configure({ mode: "parallel" })

for (const size of sizes) {
  test(`nothing sticks out at ${size.width} by ${size.height}`, async ({ page, builtIn }) => {
    test.setTimeout(240_000)
    await page.setViewportSize(size)
    const wide: string[] = []
    await page.goto(`${builtIn.url}/sign-in`)
    await expect(page.getByRole("button", { name: /Administrator/ })).toBeVisible()
    wide.push(...(await whatSticksOut(page)).map((part) => `sign in: ${part}`))
    await enter(page, builtIn.url, "Administrator", "/members")
    for (const place of [...pagesOf(await anaSilva(page)), ...(await programPlacesOf(page))]) {
      await visit(page, builtIn.url, place)
      wide.push(...(await whatSticksOut(page)).map((part) => `${place.name}: ${part}`))
    }
    expect(wide).toEqual([])
  })
}
