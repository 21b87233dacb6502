import type { Page } from "@playwright/test"

/**
 * What is wider than the window, and what a box cuts off at the right although it is no box that scrolls or shortens
 * text with an ellipsis on purpose. And what stands below the end of its page's header, over the page's first lines.
 */
export function whatSticksOut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const over = document.documentElement.scrollWidth - window.innerWidth
    if (over > 0) found.push(`the page by ${over} px`)
    // What scrolls is inside the page, which is as high as the window: a hidden pixel below it would scroll all of it.
    const below = document.documentElement.scrollHeight - window.innerHeight
    if (below > 0 && below < 8) found.push(`the page by ${below} px at its end`)
    const scrolls = (box: Element) => ["auto", "scroll"].includes(getComputedStyle(box).overflowX)
    for (const part of document.querySelectorAll("button, a, input, h1, h2, h3, p, dt, dd, td, th, label")) {
      const { right, left, width, height } = part.getBoundingClientRect()
      if (width < 2 || height < 2 || (right <= window.innerWidth + 1 && left >= -1)) continue
      let box = part.parentElement
      while (box !== null && !scrolls(box)) box = box.parentElement
      // In a row that scrolls sideways everything can be reached; a page never does.
      if (box !== null && box.tagName !== "MAIN" && box.scrollWidth > box.clientWidth) continue
      found.push(`${part.tagName.toLowerCase()} "${(part.textContent ?? "").slice(0, 30)}"`)
    }
    for (const header of document.querySelectorAll("main header")) {
      const under = header.scrollHeight - header.clientHeight
      if (under > 1) found.push(`the header by ${under} px over what is below it`)
    }
    return found
  })
}
