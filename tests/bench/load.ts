import type { CDPSession, Page } from "@playwright/test"
import type { QueryClient } from "@tanstack/react-query"
import { createSandbox } from "../../sandbox/app.ts"
import { demoKey } from "../../sandbox/config.ts"
import { serveSandbox } from "../../sandbox/serve.ts"
import { admin, startAppProcess, upstreamEnv } from "../support/app-process.ts"
import { openBrowser } from "./bytes.ts"
import { quantile, type Figure } from "./report.ts"

/** The maximum that the page loads: `mostRequests` of src/features/members/list/load-all.tsx, of 100 each. */
const mostLoaded = 20_000
/** The maximum that the list must handle; no page loads them, so the loaded ones are repeated five times. */
const mostHandled = 100_000
const sorts = 8
const scrolls = 4
/** A fast scroll, in px and px a second: 75 rows a second. */
const gesture = { distance: 12_000, speed: 3000 }

/** All members in one list without CPU slowdown: sort time and frame times while scrolling. */
export async function measureLoad(): Promise<Figure[]> {
  const served = await serveSandbox(createSandbox({ rateLimit: 0, members: mostLoaded }))
  const app = await startAppProcess(upstreamEnv(served.url, demoKey, 100_000))
  const browser = await openBrowser()
  const context = await browser.newContext({ locale: "en-AU", viewport: { width: 1440, height: 900 } })
  await context.request.post(`${app.url}/api/session`, { headers: { "X-Laurel": "1" }, data: admin })
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  await page.goto(`${app.url}/members`)
  await page.getByRole("button", { name: /^Load all/ }).click()
  const started = performance.now()
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Load all/ })
    .click()
  await loaded(page, mostLoaded)
  const loading: Figure = {
    name: `${named(mostLoaded)}: loading them`,
    value: performance.now() - started,
    unit: "ms",
  }
  const few = await measured(page, devTools, mostLoaded)
  await page.evaluate(multiplyRows, mostHandled / mostLoaded)
  await loaded(page, mostHandled)
  const many = await measured(page, devTools, mostHandled)
  await browser.close()
  await app.stop()
  await served.close()
  return [loading, ...few, ...many]
}

const named = (count: number) => `${count.toLocaleString("en")} members`

async function loaded(page: Page, count: number): Promise<void> {
  const text = page.getByText(`${count.toLocaleString("en")} loaded`)
  await text.waitFor({ timeout: 300_000 })
}

async function measured(page: Page, devTools: CDPSession, count: number): Promise<Figure[]> {
  const name = named(count)
  const sorting: number[] = []
  for (let turn = 0; turn < sorts; turn += 1) {
    await page.waitForTimeout(500)
    sorting.push(await page.evaluate(sortOnce, turn))
  }
  const times: number[] = []
  for (let turn = 0; turn < scrolls; turn += 1) {
    await page.waitForTimeout(500)
    const frames = page.evaluate(framesWhileScrolling, (gesture.distance / gesture.speed) * 1000)
    await devTools.send("Input.synthesizeScrollGesture", {
      x: 720,
      y: 500,
      yDistance: turn % 2 === 0 ? -gesture.distance : gesture.distance,
      speed: gesture.speed,
      preventFling: true,
    })
    const { moved, spans } = await frames
    if (moved < gesture.distance / 2) throw new Error(`The list was scrolled by ${moved} px only.`)
    times.push(...spans)
  }
  return [
    { name: `${name}: sort, median`, value: quantile(sorting, 0.5), unit: "ms" },
    { name: `${name}: sort, worst`, value: Math.max(...sorting), unit: "ms", atMost: 200 },
    { name: `${name}: a frame while scrolling, median`, value: quantile(times, 0.5), unit: "ms" },
    { name: `${name}: 95 of 100 frames within`, value: quantile(times, 0.95), unit: "ms", atMost: 17.5 },
    { name: `${name}: longest frame`, value: Math.max(...times), unit: "ms" },
  ]
}

/** Runs in the page: sorts by alternating columns, and measures from the click to the paint of the rows. */
function sortOnce(turn: number): Promise<number> {
  const buttons = document.querySelectorAll<HTMLButtonElement>("thead th button")
  const order = () => document.querySelector("th[aria-sort]")?.outerHTML
  const before = order()
  return new Promise((resolve) => {
    const started = performance.now()
    const check = () => {
      const done = order() !== before && document.querySelector("table[aria-busy=false] tbody tr") !== null
      if (done) requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - started)))
      else requestAnimationFrame(check)
    }
    buttons[turn % buttons.length]?.click()
    requestAnimationFrame(check)
  })
}

/** Runs in the page: frame times during `ms`, and the distance scrolled meanwhile, in px. */
function framesWhileScrolling(ms: number): Promise<{ moved: number; spans: number[] }> {
  return new Promise((resolve) => {
    const spans: number[] = []
    const began = performance.now()
    let [top, lowest, highest] = [0, Infinity, -Infinity]
    let last: number | undefined
    const note = ({ target }: Event) => {
      if (target instanceof Element) top = target.scrollTop
      lowest = Math.min(lowest, top)
      highest = Math.max(highest, top)
    }
    addEventListener("scroll", note, true)
    const frame = (now: number) => {
      if (last !== undefined) spans.push(now - last)
      last = now
      if (now - began < ms) requestAnimationFrame(frame)
      else {
        removeEventListener("scroll", note, true)
        resolve({ moved: highest - lowest, spans })
      }
    }
    requestAnimationFrame(frame)
  })
}

/** The parts of React's tree and of the query client that are needed to find the client. */
interface TreeNode {
  readonly child: TreeNode | null
  readonly sibling: TreeNode | null
  readonly memoizedProps: { readonly client?: QueryClient } | null
}

/** Runs in the page: repeats the rows of the list `times` times, each with a new id. */
function multiplyRows(times: number): void {
  const root = document.querySelector("#root") ?? document.body
  const name = Object.keys(root).find((key) => key.startsWith("__reactContainer$")) ?? ""
  const nodes: (TreeNode | null)[] = [Reflect.get(root, name)]
  let client: QueryClient | undefined
  while (client === undefined && nodes.length > 0) {
    const node = nodes.pop() ?? null
    if (node === null) continue
    client = node.memoizedProps?.client
    nodes.push(node.sibling, node.child)
  }
  for (const [key, data] of client?.getQueriesData<{ rows?: { id: string }[] }>({}) ?? []) {
    const rows = data?.rows
    if (rows === undefined || rows.length < 10_000) continue
    const copies = Array.from({ length: times }, (_, at) =>
      rows.map((row) => ({ ...row, id: `${row.id}-${at}` })),
    )
    client?.setQueryData(key, { ...data, rows: copies.flat() })
  }
}
