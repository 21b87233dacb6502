import type { Page } from "@playwright/test"

/**
 * Elements wider than the window or cut off at the right, except in boxes that scroll or use an ellipsis, and headers
 * that overlap the page below them.
 */
export function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const findings: string[] = []
    const over = document.documentElement.scrollWidth - window.innerWidth
    if (over > 0) findings.push(`the page by ${over} px`)
    // The page is as high as the window and scrolls inside: a hidden pixel below would scroll all of it.
    const below = document.documentElement.scrollHeight - window.innerHeight
    if (below > 0 && below < 8) findings.push(`the page by ${below} px at its end`)
    const scrolls = (box: Element) => ["auto", "scroll"].includes(getComputedStyle(box).overflowX)
    for (const part of document.querySelectorAll("button, a, input, h1, h2, h3, p, dt, dd, td, th, label")) {
      const { right, left, width, height } = part.getBoundingClientRect()
      if (width < 2 || height < 2 || (right <= window.innerWidth + 1 && left >= -1)) continue
      let box = part.parentElement
      while (box !== null && !scrolls(box)) box = box.parentElement
      // Reachable in a horizontally scrolling row; a page never scrolls horizontally.
      if (box !== null && box.tagName !== "MAIN" && box.scrollWidth > box.clientWidth) continue
      findings.push(`${part.tagName.toLowerCase()} "${(part.textContent ?? "").slice(0, 30)}"`)
    }
    for (const header of document.querySelectorAll("main header")) {
      const under = header.scrollHeight - header.clientHeight
      if (under > 1) findings.push(`the header by ${under} px over what is below it`)
    }
    return findings
  })
}
