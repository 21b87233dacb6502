import type { Browser, BrowserContext, CDPSession, Page } from "@playwright/test"
import * as z from "zod"
import { createSandbox } from "../../sandbox/app.ts"
import { demoKey } from "../../sandbox/config.ts"
import { serveDemo } from "../../scripts/demo.ts"
import { serveSandbox } from "../../sandbox/serve.ts"
import { admin, startAppProcess, upstreamEnv } from "../support/app-process.ts"
import { openBrowser } from "./bytes.ts"
import { startPeer } from "./peer.ts"
import { withPeer, boundHere, quantile, type Figure } from "./report.ts"

/** A slow mobile connection and CPU: bytes a second, ms, and slowdown factor. */
const slow = { throughput: 1_600_000 / 8, latency: 150, slowdown: 4 }
/** A 4G connection as in browsers' developer tools. */
const fourG = { throughput: 9_000_000 / 8, latency: 170, slowdown: 1 }
const samples = 5
/** Time without requests after which the view is complete, in ms. */
const silenceMs = 2500

const settingsAnswer = z.object({ data: z.looseObject({}) })

/** Result of one first view: times since the navigation in ms, bytes without headers. */
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
 * The member list with an empty cache for a signed-in user, on a slow line and CPU. Chromium delays each response by
 * the latency and shares the throughput; it does not simulate handshakes or slow start. Medians: once with the list
 * in the server's cache, once without. Compared to the peer's list on the same service.
 */
export async function measurePaint(): Promise<Figure[]> {
  const served = await serveSandbox(createSandbox({ rateLimit: 0 }), { host: "127.0.0.1", port: 0 })
  const app = await startAppProcess(upstreamEnv(served.url, demoKey, 6000))
  const browser = await openBrowser()
  const { cookies, cacheMembers } = await signedIn(browser, app.url)
  const desk = { url: `${app.url}/members`, row: 'table a[href^="/members/mem_"]', cookies }
  await cacheMembers(3600)
  await firstView(browser, desk)
  const warm = await firstViews(browser, desk)
  await cacheMembers(0)
  const cold = await firstViews(browser, desk)
  await app.stop()
  const peer = await startPeer(served.url, demoKey)
  const theirs = await firstViews(browser, { url: `${peer.url}/#/members`, row: "tbody tr td", cookies: [] })
  const peerRows = { here: median(theirs, "rows"), there: 3451 }
  await browser.close()
  await peer.stop()
  await served.close()
  return [
    [
      "list cached by the server",
      warm,
      { paint: 1200, rows: 2000, requests: 16, code: 215, all: 255 },
    ] as const,
    ["list asked for", cold, { paint: 1200, rows: undefined, requests: 16 }] as const,
  ].flatMap(([name, own, bounds]) => {
    const figures = mediansOf(name, own, bounds).map((figure) =>
      figure.atMost !== undefined && figure.atMost === bounds.rows
        ? { ...figure, ...boundHere(figure.atMost, peerRows) }
        : figure,
    )
    return withPeer(figures, mediansOf(name, theirs, {}))
  })
}

function median(views: readonly View[], key: keyof View): number {
  return quantile(
    views.map((view) => view[key]),
    0.5,
  )
}

/**
 * The demo with an empty cache over 4G, from a static file server with compression: the median time until sign-in is
 * possible, with everything seeded.
 */
export async function measureDemo(): Promise<Figure[]> {
  const demo = await serveDemo("127.0.0.1", 0)
  const browser = await openBrowser()
  const views = await firstViews(browser, { url: demo.url, row: "input[type=password]", cookies: [] }, fourG)
  await browser.close()
  await demo.close()
  return mediansOf("the demo", views, { rows: 2500 }, "sign-in can be used")
}

function mediansOf(
  name: string,
  views: readonly View[],
  bounds: Readonly<Partial<Record<keyof View, number | undefined>>>,
  awaited = "first rows",
): Figure[] {
  const figure = (key: keyof View, what: string, unit: string): Figure => ({
    name: `${name}: ${what}`,
    value: median(views, key),
    unit,
    ...(bounds[key] !== undefined && { atMost: bounds[key] }),
  })
  return [
    figure("paint", "first contentful paint", "ms"),
    figure("rows", awaited, "ms"),
    figure("requests", "requests, the event stream among them", ""),
    figure("code", "JS and CSS", "KB"),
    figure("all", "everything", "KB"),
  ]
}

/** Signs in as the administrator; `cacheMembers` sets the server's cache time for members, in seconds. */
async function signedIn(browser: Browser, url: string) {
  const context = await browser.newContext()
  const { request } = context
  const headers = { "X-Laurel": "1" }
  await request.post(`${url}/api/session`, { headers, data: admin })
  return {
    cookies: await context.cookies(),
    cacheMembers: async (seconds: number) => {
      const address = `${url}/api/settings/cache`
      const { data: settings } = settingsAnswer.parse(await (await request.get(address)).json())
      const response = await request.put(address, { headers, data: { ...settings, members: seconds } })
      if (!response.ok()) throw new Error(await response.text())
    },
  }
}

async function firstViews(browser: Browser, desk: MeasuredPage, line = slow): Promise<View[]> {
  const views: View[] = []
  for (let n = 0; n < samples; n += 1) views.push(await firstView(browser, desk, line))
  return views
}

async function firstView(browser: Browser, { url, row, cookies }: MeasuredPage, line = slow): Promise<View> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await context.addCookies(cookies)
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  const traffic = await countTraffic(page, devTools)
  await devTools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: line.latency,
    downloadThroughput: line.throughput,
    uploadThroughput: line.throughput,
  })
  await devTools.send("Emulation.setCPUThrottlingRate", { rate: line.slowdown })
  await page.addInitScript(watchRows, row)
  await page.goto(url)
  // The demo sets up its services without requests for a while.
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
