import type { Browser, BrowserContext, CDPSession, Page } from "@playwright/test"
import * as z from "zod"
import { withApps } from "./apps.ts"
import { type Figure, median } from "./report.ts"

/** A slow mobile connection and CPU: bytes a second, ms, and slowdown factor. */
const slow = { throughput: 1_600_000 / 8, latency: 150, slowdown: 4 }
const samples = 5
/** Time without requests after which the view is complete, in ms. */
const silenceMs = 2500

/** Result of one first view: times since the navigation in ms, KB (1,000 bytes) without headers. */
interface View {
  readonly paint: number
  readonly rows: number
  readonly requests: number
  readonly code: number
  readonly all: number
}

/** A page of a signed-in user, and the selector of its first row. */
interface MeasuredPage {
  readonly url: string
  readonly row: string
  readonly cookies: Parameters<BrowserContext["addCookies"]>[0]
}

/**
 * The member list with an empty browser cache for a signed-in user, on a slow line and CPU; medians. Chromium delays
 * each response by the latency and shares the throughput; it does not simulate handshakes or slow start.
 */
export async function measurePaint(): Promise<Figure[]> {
  return withApps({}, async ({ browser, url, peerUrl, signedIn }) => {
    const cookies = await (await signedIn()).cookies()
    const own: MeasuredPage = { url: `${url}/members`, row: 'table a[href^="/members/mem_"]', cookies }
    const peer: MeasuredPage = { url: `${peerUrl}/#/members`, row: "tbody tr td", cookies: [] }
    const views: View[] = []
    const theirs: View[] = []
    // The first view of each warms the servers.
    for (let turn = 0; turn <= samples; turn += 1) {
      const [view, their] = [await firstView(browser, own), await firstView(browser, peer)]
      if (turn === 0) continue
      views.push(view)
      theirs.push(their)
    }
    const figure = (key: keyof View, name: string, unit: string, bound: Partial<Figure> = {}): Figure => {
      const [value, their] = [views, theirs].map((all) => median(all.map((view) => view[key])))
      return { name: `first view, ${name}`, unit, value: value ?? 0, peer: their ?? 0, ...bound }
    }
    return [
      figure("paint", "first paint", "ms"),
      figure("rows", "first rows", "ms", { ratioAtMost: 0.8 }),
      figure("requests", "requests", ""),
      figure("code", "JS and CSS", "KB", { atMost: 250 }),
      figure("all", "everything", "KB"),
    ]
  })
}

async function firstView(browser: Browser, { url, row, cookies }: MeasuredPage): Promise<View> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await context.addCookies(cookies)
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  const traffic = await countTraffic(page, devTools)
  await devTools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: slow.latency,
    downloadThroughput: slow.throughput,
    uploadThroughput: slow.throughput,
  })
  await devTools.send("Emulation.setCPUThrottlingRate", { rate: slow.slowdown })
  await page.addInitScript(watchRows, row)
  await page.goto(url)
  const times = await paintTimes(page, devTools)
  const counts = await traffic.atEnd()
  await context.close()
  return { ...times, ...counts }
}

const longestView = 60_000

/**
 * Waits for the first row's paint over CDP: Playwright's injected script takes longer to compile than some of what is
 * measured.
 */
async function paintTimes(page: Page, devTools: CDPSession): Promise<Pick<View, "paint" | "rows">> {
  const expression = `["first-contentful-paint", "first-rows"].map((name) => performance.getEntriesByName(name)[0]?.startTime ?? 0)`
  for (const began = performance.now(); performance.now() - began < longestView;) {
    const { result } = await devTools.send("Runtime.evaluate", { expression, returnByValue: true })
    const [paint = 0, rows = 0] = z.array(z.number()).parse(result.value)
    if (paint > 0 && rows > 0) return { paint, rows }
    await page.waitForTimeout(200)
  }
  throw new Error("Nothing was painted.")
}

/** Marks the frame after the first row appears. */
function watchRows(row: string): void {
  const observer = new MutationObserver(() => {
    if (document.querySelector(row) === null) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => performance.mark("first-rows")))
  })
  observer.observe(document, { childList: true, subtree: true })
}

async function countTraffic(page: Page, devTools: CDPSession) {
  const sizes: Promise<readonly [type: string, bytes: number]>[] = []
  let requested = 0
  let last = performance.now()
  page.on("request", (request) => {
    if (request.url().startsWith("data:")) return
    requested += 1
    last = performance.now()
  })
  page.on("requestfinished", (request) => {
    const type = request.resourceType()
    last = performance.now()
    sizes.push(request.sizes().then(({ responseBodySize }) => [type, responseBodySize]))
  })
  await devTools.send("Network.enable")
  return {
    async atEnd(): Promise<Pick<View, "requests" | "code" | "all">> {
      while (performance.now() - last < silenceMs) await page.waitForTimeout(100)
      const sum = (sized: readonly (readonly [string, number])[]) =>
        sized.reduce((total, [, bytes]) => total + bytes, 0) / 1000
      const all = await Promise.all(sizes)
      const code = all.filter(([type]) => type === "script" || type === "stylesheet")
      return { requests: requested, code: sum(code), all: sum(all) }
    },
  }
}
