import { withApps } from "./apps.ts"
import { type Figure, median, quantile } from "./report.ts"

/** The maximum that the page loads: `mostRequests` of src/features/members/list/load-all.tsx, of 100 each. */
const members = 20_000
const sorts = 8
const scrolls = 4
/** A fast scroll, in px and px a second: 75 rows a second. */
const gesture = { distance: 12_000, speed: 3000 }

/** All members in one list without CPU slowdown: load time, sort time and frame times while scrolling. */
export async function measureLoad(): Promise<Figure[]> {
  return withApps({ sandbox: { members }, rateLimit: 100_000 }, async ({ url, signedIn }) => {
    const context = await signedIn()
    const page = await context.newPage()
    const devTools = await context.newCDPSession(page)
    await page.goto(`${url}/members`)
    await page.getByRole("button", { name: /^Load all/ }).click()
    const confirm = page.getByRole("dialog").getByRole("button", { name: /^Load all/ })
    const started = performance.now()
    await confirm.click()
    await page.getByText(`${members.toLocaleString("en")} loaded`).waitFor({ timeout: 300_000 })
    const loading = performance.now() - started
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
    const name = `${members.toLocaleString("en")} members`
    return [
      { name: `${name}: loading`, unit: "ms", value: loading },
      { name: `${name}: sort, median`, unit: "ms", value: median(sorting) },
      { name: `${name}: sort, worst`, unit: "ms", value: Math.max(...sorting) },
      { name: `${name}: 95 of 100 frames while scrolling`, unit: "ms", value: quantile(times, 0.95) },
    ]
  })
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
