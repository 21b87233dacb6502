import type { BrowserContext } from "@playwright/test"
import { withApps } from "./apps.ts"
import type { Figure } from "./report.ts"

/** Number of pages opened. */
const routes = 20

/** Pages of one app by their link addresses, and a selector that shows that a page has loaded. */
interface AppPages {
  readonly start: string
  readonly pages: readonly string[]
  readonly recordOf: (page: string) => string
}

/** JavaScript heap (MB, after garbage collection) after twenty pages, and elements of the member list. */
export async function measureHeap(): Promise<Figure[]> {
  return withApps({}, async ({ url, peerUrl, signedIn }) => {
    const context = await signedIn()
    const own = await measured(context, {
      start: `${url}/members`,
      pages: ["/rewards", "/orders", "/leaderboards", "/members"],
      recordOf: (page) => `#content a[href^="${page}/"]`,
    })
    const theirs = await measured(context, {
      start: `${peerUrl}/#/members`,
      pages: ["#/orders", "#/members"],
      recordOf: () => "tbody tr td a, tbody tr td",
    })
    return [
      { name: `heap after ${routes} pages`, unit: "MB", value: own.heap, peer: theirs.heap, atMost: 11 },
      { name: "elements of the members list", unit: "", value: own.elements, peer: theirs.elements },
    ]
  })
}

/**
 * Opens the pages in turn, the member list last, and measures there. Uses CDP only, since Playwright's injected
 * script would take a tenth of the heap.
 */
async function measured(context: BrowserContext, { start, pages, recordOf }: AppPages) {
  const tab = await context.newPage()
  await tab.goto(start)
  const devtools = await context.newCDPSession(tab)
  const run = async (expression: string) => {
    const { result, exceptionDetails } = await devtools.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
    })
    if (exceptionDetails !== undefined) throw new Error(`${expression}: ${exceptionDetails.text}`)
    return Number(result.value)
  }
  const shown = (selector: string, count: number) =>
    run(`new Promise((resolve) => {
      const look = () => document.querySelectorAll(${JSON.stringify(selector)}).length >= ${count} ? resolve(0) : setTimeout(look, 20)
      look()
    })`)
  await shown("tbody tr", 25)
  for (let turn = 0; turn < routes; turn += 1) {
    const page = pages[turn % pages.length] ?? ""
    await run(`document.querySelector('nav a[href="${page}"], a[role=menuitem][href="${page}"]').click()`)
    await shown(recordOf(page), 1)
    // The previous page is cleaned up after the new one is painted.
    await run("new Promise((resolve) => setTimeout(resolve, 300))")
  }
  await shown("tbody tr", 25)
  await devtools.send("HeapProfiler.collectGarbage")
  const { usedSize } = await devtools.send("Runtime.getHeapUsage")
  const elements = await run("document.querySelectorAll('*').length")
  await tab.close()
  return { heap: usedSize / 1_000_000, elements }
}
