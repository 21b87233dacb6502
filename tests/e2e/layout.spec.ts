import { expect, type Page } from "@playwright/test"
import { enter, test } from "./desk.ts"
import { anaSilva } from "./members.ts"
import { pagesOf, visit } from "./places.ts"

const sizes = [
  { width: 1440, height: 900 },
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
]

test.describe.configure({ mode: "parallel" })

for (const size of sizes) {
  test(`nothing sticks out at ${size.width} by ${size.height}`, async ({ page, builtIn }) => {
    test.setTimeout(120_000)
    await page.setViewportSize(size)
    const wide: string[] = []
    await page.goto(`${builtIn.url}/sign-in`)
    await expect(page.getByRole("button", { name: /Administrator/ })).toBeVisible()
    wide.push(...(await whatSticksOut(page)).map((part) => `sign in: ${part}`))
    await enter(page, builtIn.url, "Administrator", "/members")
    for (const place of pagesOf(await anaSilva(page))) {
      await visit(page, builtIn.url, place)
      wide.push(...(await whatSticksOut(page)).map((part) => `${place.name}: ${part}`))
    }
    expect(wide).toEqual([])
  })
}

/**
 * What is wider than the window, and what a box cuts off at the right although it is no box that scrolls or shortens
 * text with an ellipsis on purpose.
 */
function whatSticksOut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const over = document.documentElement.scrollWidth - window.innerWidth
    if (over > 0) found.push(`the page by ${over} px`)
    const scrolls = (box: Element) => ["auto", "scroll"].includes(getComputedStyle(box).overflowX)
    for (const part of document.querySelectorAll("button, a, input, h1, h2, h3, p, dt, dd, td, th, label")) {
      const { right, left, width, height } = part.getBoundingClientRect()
      if (width < 2 || height < 2 || (right <= window.innerWidth + 1 && left >= -1)) continue
      let box = part.parentElement
      while (box !== null && !scrolls(box)) box = box.parentElement
      // In a row that scrolls sideways everything can be reached.
      if (box !== null && box.scrollWidth > box.clientWidth) continue
      found.push(`${part.tagName.toLowerCase()} "${(part.textContent ?? "").slice(0, 30)}"`)
    }
    return found
  })
}
