import { expect } from "@playwright/test"
import { enter, test } from "./desk.ts"
import { anaSilva } from "./members.ts"
import { placesOf } from "./places.ts"

const sizes = [
  { width: 1440, height: 900 },
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
]

for (const size of sizes) {
  test(`nothing sticks out of the page at ${size.width} by ${size.height}`, async ({ page, builtIn }) => {
    test.setTimeout(120_000)
    await page.setViewportSize(size)
    await enter(page, builtIn.url, "Administrator", "/members")
    const wide: string[] = []
    for (const place of placesOf(await anaSilva(page))) {
      if (place.open !== undefined) continue
      await page.goto(`${builtIn.url}${place.path}`)
      await place.ready(page)
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      if (over > 0) wide.push(`${place.name}: ${over} px`)
    }
    expect(wide).toEqual([])
  })
}
