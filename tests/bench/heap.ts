import type { BrowserContext } from "@playwright/test"
import { createSandbox } from "../../sandbox/app.ts"
import { demoKey } from "../../sandbox/config.ts"
import { serveSandbox } from "../../sandbox/serve.ts"
import { admin, startAppProcess, upstreamEnv } from "../support/app-process.ts"
import { openBrowser } from "./bytes.ts"
import { startPeer } from "./peer.ts"
import { boundHere, type Figure } from "./report.ts"

/** Number of pages opened. */
const routes = 20

/** Pages of one app by their link addresses, and a selector that shows that a page has loaded. */
interface AppPages {
  readonly start: string
  readonly pages: readonly string[]
  readonly recordOf: (page: string) => string
}

/**
 * JavaScript heap (MB, after garbage collection) after twenty pages, and DOM elements of the member list with 25
 * rows: Laurel and the peer on one sandbox.
 */
export async function measureHeap(): Promise<Figure[]> {
  const served = await serveSandbox(createSandbox({ rateLimit: 0 }))
  const app = await startAppProcess(upstreamEnv(served.url, demoKey, 6000))
  const peer = await startPeer(served.url, demoKey)
  const browser = await openBrowser()
  const context = await browser.newContext({ locale: "en-AU", viewport: { width: 1440, height: 900 } })
  await context.request.post(`${app.url}/api/session`, { headers: { "X-Laurel": "1" }, data: admin })
  const own = await measured(context, {
    start: `${app.url}/members`,
    pages: ["/rewards", "/orders", "/leaderboards", "/members"],
    recordOf: (page) => `#content a[href^="${page}/"]`,
  })
  const theirs = await measured(context, {
    start: `${peer.url}/#/members`,
    pages: ["#/orders", "#/members"],
    recordOf: () => "tbody tr td a, tbody tr td",
  })
  await browser.close()
  await peer.stop()
  await app.stop()
  await served.close()
  return [
    {
      name: `JavaScript's memory after ${routes} pages`,
      value: own.heap,
      unit: "MB",
      ...boundHere(8, { here: theirs.heap, there: 11.7 }),
    },
    { name: "  the peer's", value: theirs.heap, unit: "MB" },
    { name: "elements of the list of members", value: own.elements, unit: "", atMost: 750 },
    { name: "  the peer's", value: theirs.elements, unit: "" },
  ]
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
