import { writeFileSync } from "node:fs"
import type { BrowserContext, CDPSession, Locator, Page } from "@playwright/test"
import { viewport, withApps } from "./apps.ts"
import { peerInteractions } from "./peer-interactions.ts"
import { type Figure, median } from "./report.ts"

/** Turns per interaction; the first warms up and is not counted. */
const turns = 8
/** Search texts, one per turn and speed. */
const searches =
  "climate maria james north chen anna priya emma noah jack patel nguyen grace liam singh daniel".split(" ")
/** Response time of the services, in ms. */
const serviceTime = 80
/** The only interaction to measure, with a CPU profile of each turn in `dist/` (docs/profiling.md, One interaction). */
const profiled = process.env.PROFILE
/** Bound of the longest time from an input to the next paint, in ms, by CPU slowdown. */
const worstPaint = { 1: 64, 4: 160 }
/** Largest shares of the peer's time with the CPU slowed down. */
const ratios: Readonly<Record<string, number>> = {
  "members to orders, warm": 0.4,
  "orders to members, warm": 0.4,
  "next page": 0.75,
}
/** Time between the pointer's arrival and its press, in ms: shorter than a tooltip's delay. */
const pointerRests = 90
/** Timeout for a result, in ms. */
const longestWait = 30_000
const selectAll = "select all of 100 rows"

type Slower = keyof typeof worstPaint
interface Turn {
  readonly slower: Slower
  readonly turn: number
  /** Search text, not used in an earlier turn. */
  readonly text: string
}

/** A page and the interactions measured on it. */
interface Site {
  readonly page: Page
  readonly cpu: CDPSession
  readonly interactions: readonly Interaction[]
}

/** One input and its result. Times in ms, without and with a CPU slowed down four times. */
export interface Interaction {
  readonly name: string
  /** Prepares the page; not measured. */
  readonly prepare: (page: Page, at: Turn) => Promise<unknown>
  /** The element to click, or to press the key in. */
  readonly on: string
  readonly key?: (at: Turn) => string
  /**
   * Runs in the page: whether the result is shown. `first` is the first row's text before the input; `busy` is
   * whether a table was busy since then; `requests` are the addresses requested since then.
   */
  readonly done: (first: string | undefined, busy: boolean, requests: readonly string[]) => boolean
}

/**
 * The most common interactions in a real browser, with services at 80 ms: from the input to the paint of the result,
 * and from the input to the next paint (event timing), both measured in the page; medians in ms. Each round measures
 * all interactions, each followed by the peer's, so that a slow moment affects one turn of each instead of all turns
 * of one.
 */
export async function measureInteractions(): Promise<Figure[]> {
  return withApps({}, async ({ sandbox, browser, url, peerUrl, signedIn }) => {
    sandbox.faults.add({ kind: "slow", ms: serviceTime })
    const page = await openPage(await signedIn())
    await page.goto(`${url}/members`)
    await page.locator(rowLink("members")).first().waitFor()
    const peerPage = await openPage(await browser.newContext({ locale: "en-AU", viewport }))
    await peerPage.goto(`${peerUrl}/#/members`)
    await peerPage.locator("tbody tr").first().waitFor()
    await page.waitForTimeout(1000)
    const laurel = await siteOf(page, interactions)
    const peer = await siteOf(peerPage, profiled === undefined ? peerInteractions : [])
    if (profiled !== undefined) await laurel.cpu.send("Profiler.enable")
    const figures: Figure[] = []
    for (const slower of [1, 4] as const) {
      figures.push(...figuresOf(await measured([laurel, peer], slower), { laurel, peer }, slower))
    }
    return figures
  })
}

/**
 * Times of some interactions at full speed, from the input to the paint of the result, ms.
 * @param url of Laurel, in which the context is signed in
 */
export async function timesOnScreen(
  context: BrowserContext,
  url: string,
  names: readonly string[],
): Promise<Map<string, number[]>> {
  const page = await openPage(context)
  await page.goto(`${url}/members`)
  await page.locator(rowLink("members")).first().waitFor()
  const all = interactions.filter(({ name }) => names.includes(name))
  const times = await measured([await siteOf(page, all)], 1)
  return new Map(all.map((one) => [one.name, times.get(one)?.map(({ done }) => done) ?? []]))
}

async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.addInitScript(watchInputs)
  return page
}

async function siteOf(page: Page, all: readonly Interaction[]): Promise<Site> {
  const chosen = all.filter(({ name }) => profiled === undefined || name === profiled)
  return { page, cpu: await page.context().newCDPSession(page), interactions: chosen }
}

/** From an input to its result, and to the next paint, in ms. */
interface Times {
  readonly done: number
  readonly paint: number
}

/** Times of each interaction in each counted turn. */
async function measured(sites: readonly Site[], slower: Slower): Promise<Map<Interaction, Times[]>> {
  const inTurn = interactions.flatMap(({ name }) =>
    sites.flatMap((site) =>
      site.interactions.filter((one) => one.name === name).map((interaction) => ({ site, interaction })),
    ),
  )
  const times = new Map<Interaction, Times[]>(inTurn.map(({ interaction }) => [interaction, []]))
  for (let turn = 0; turn < turns; turn += 1) {
    const at = { slower, turn, text: searches[turn + (slower === 1 ? 0 : turns)] ?? "" }
    for (const { site, interaction } of inTurn) {
      const took = await measuredOnce(site, interaction, at)
      if (turn > 0) times.get(interaction)?.push(took)
    }
  }
  return times
}

async function measuredOnce({ page, cpu }: Site, interaction: Interaction, at: Turn): Promise<Times> {
  const { name, prepare, on, key, done } = interaction
  await page.bringToFront()
  await prepare(page, at)
  await page.waitForTimeout(400)
  await cpu.send("Emulation.setCPUThrottlingRate", { rate: at.slower })
  const target = page.locator(on).first()
  const [x, y] = await middleOf(target)
  if (key === undefined) {
    // Move first, as people do: a press on arrival includes the cost of hovering, and headless Chromium then often
    // shows no frame for 200 ms.
    await page.mouse.move(x, y)
    await page.waitForTimeout(pointerRests)
  }
  await page.evaluate(`void (globalThis.inputSettled = watchInput(${String(done)}))`)
  // Awaited from before the input: evaluating during or repeatedly after it would add to the measurement.
  const settled = page.evaluate("inputSettled")
  if (profiled !== undefined) await cpu.send("Profiler.start")
  await (key === undefined ? page.mouse.click(x, y) : target.press(key(at)))
  await Promise.race([
    settled,
    page.waitForTimeout(longestWait).then(() => {
      throw new Error(`${name}, turn ${at.turn} at ÷${at.slower}: it did not come at ${page.url()}.`)
    }),
  ])
  await page.waitForTimeout(200)
  if (profiled !== undefined) {
    const { profile } = await cpu.send("Profiler.stop")
    writeFileSync(`dist/profile-${at.slower}-${at.turn}.cpuprofile`, JSON.stringify(profile))
  }
  await cpu.send("Emulation.setCPUThrottlingRate", { rate: 1 })
  const [took = 0, paint = 0] = await page.evaluate(() =>
    ["inputDone", "inputPaint"].map((what) => Number(Reflect.get(globalThis, what))),
  )
  return { done: took, paint }
}

type Sites = Readonly<Record<"laurel" | "peer", Site>>

/** Medians of each interaction at both sites, and the longest median from an input to the next paint. */
function figuresOf(
  all: ReadonlyMap<Interaction, readonly Times[]>,
  { laurel, peer }: Sites,
  slower: Slower,
): Figure[] {
  const unit = slower === 1 ? "ms" : "ms (÷4)"
  const medianOf = (site: Site, name: string, key: keyof Times) => {
    const interaction = site.interactions.find((one) => one.name === name)
    const times = (interaction && all.get(interaction)) ?? []
    return times.length === 0 ? undefined : median(times.map((each) => each[key]))
  }
  const worst = (site: Site) =>
    Math.max(
      0,
      ...site.interactions.map(({ name }) => (name === selectAll ? 0 : (medianOf(site, name, "paint") ?? 0))),
    )
  const figures = laurel.interactions.map(({ name }): Figure => {
    const theirs = medianOf(peer, name, "done")
    const ratioAtMost = slower === 4 ? ratios[name] : undefined
    return {
      name,
      unit,
      value: medianOf(laurel, name, "done") ?? 0,
      ...(theirs !== undefined && { peer: theirs }),
      ...(ratioAtMost !== undefined && { ratioAtMost }),
    }
  })
  const name = "input to next paint, worst but for selecting all"
  const paints = laurel.interactions.map((one) => `${one.name} ${medianOf(laurel, one.name, "paint") ?? "-"}`)
  process.stdout.write(`  input to next paint, ${unit}: ${paints.join(", ")}\n`)
  return [...figures, { name, unit, value: worst(laurel), peer: worst(peer), atMost: worstPaint[slower] }]
}

/** The centre of an element: Playwright's own click adds its checks to the measurement. */
async function middleOf(target: Locator): Promise<[number, number]> {
  await target.waitFor()
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  return box === null ? [0, 0] : [box.x + box.width / 2, box.y + box.height / 2]
}

/** Runs in the page: measures from an input to the paint after `done` holds, and the longest time to a next paint. */
function watchInputs(): void {
  const record = (what: string, value: number | undefined) => Reflect.set(globalThis, what, value)
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      // Excludes pointer moves.
      const isInput = "interactionId" in entry && entry.interactionId !== 0
      if (isInput)
        record("inputPaint", Math.max(entry.duration, Number(Reflect.get(globalThis, "inputPaint"))))
    }
  }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit)

  const watchInput = async (done: Interaction["done"]) => {
    const first = (document.querySelector("tbody tr [data-row-link]") ?? document.querySelector("tbody tr"))
      ?.textContent
    let began: number | undefined
    let busy = false
    record("inputDone", undefined)
    record("inputPaint", 0)
    const painted = Promise.withResolvers<void>()
    const until = new AbortController()
    const observer = new MutationObserver(() => check())
    // A request's entry may come after the last change of the page that its response caused.
    const addresses: string[] = []
    const requests = new PerformanceObserver((list) => {
      addresses.push(...list.getEntries().map(({ name }) => name))
      check()
    })
    const begin = (event: Event) => {
      began ??= event.timeStamp
      // The input's effect is done by the next task, possibly without a mutation.
      setTimeout(check)
    }
    const check = () => {
      if (began === undefined || until.signal.aborted) return
      busy ||= document.querySelector("table[aria-busy=true]") !== null
      if (!done(first, busy, addresses)) return
      until.abort()
      observer.disconnect()
      requests.disconnect()
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          record("inputDone", performance.now() - (began ?? 0))
          painted.resolve()
        }),
      )
    }
    for (const type of ["click", "keydown"])
      addEventListener(type, begin, { capture: true, signal: until.signal })
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
    requests.observe({ type: "resource" })
    await painted.promise
  }
  Reflect.set(globalThis, "watchInput", watchInput)
}

const rowLink = (resource: string) => `table[aria-busy=false] tbody a[data-row-link][href^="/${resource}/"]`
const nav = (path: string) => `nav[aria-label=Main] a[href="${path}"]`
const tab = (name: string) => `nav a:text-is("${name}")`
const searchField = "[data-list-search]"

async function toList(page: Page, path = "/members", resource = "members"): Promise<void> {
  await page.locator(nav(path)).click()
  await page.locator(rowLink(resource)).first().waitFor()
}

async function toMember(page: Page): Promise<void> {
  await toList(page)
  await page.locator(rowLink("members")).first().click()
  await page.locator("table[aria-label=Ledger][aria-busy=false] tbody tr").first().waitFor()
}

/** Navigates without reloading the page. */
async function toAddress(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({}, "", to)
    dispatchEvent(new PopStateEvent("popstate", { state: {} }))
  }, address)
  await page.locator(rowLink("members")).first().waitFor()
}

const letters = "aeiouynrstlmdchk"

const interactions: readonly Interaction[] = [
  {
    name: "members to orders, warm",
    // Warm: both lists were read just before.
    prepare: async (page) => {
      await toList(page, "/orders", "orders")
      await toList(page)
    },
    on: nav("/orders"),
    done: () => document.querySelector('table[aria-busy=false] tbody a[href^="/orders/"]') !== null,
  },
  {
    name: "orders to members, warm",
    prepare: async (page) => {
      await toList(page)
      await toList(page, "/orders", "orders")
    },
    on: nav("/members"),
    done: () => document.querySelector('table[aria-busy=false] tbody a[href^="/members/"]') !== null,
  },
  {
    name: "open a member",
    prepare: (page) => toList(page),
    on: rowLink("members"),
    done: () => document.querySelector("aside[aria-label=Facts]") !== null,
  },
  {
    name: "next page",
    prepare: async (page, { slower, turn }) => {
      await toList(page)
      // Pages that are not cached.
      await toAddress(page, `/members?page=${slower * 10 + turn * 2}`)
      await page.waitForTimeout(500)
    },
    on: "button[aria-label='Next page']",
    done: (first) => {
      const row = document.querySelector("table[aria-busy=false] tbody tr [data-row-link]")
      return row !== null && row.textContent !== first
    },
  },
  {
    name: "award drawer",
    prepare: async (page) => {
      if (await page.locator("[role=dialog]").isVisible()) await page.keyboard.press("Escape")
      await toMember(page)
    },
    on: 'a:has-text("Award points")',
    done: () => document.querySelector("[role=dialog] form input") !== null,
  },
  {
    name: "ledger tab",
    prepare: async (page) => {
      if (await page.locator("[role=dialog]").isVisible()) await page.keyboard.press("Escape")
      await toMember(page)
      await page.locator(tab("Details")).click()
      await page.locator("table[aria-label=Ledger]").waitFor({ state: "detached" })
    },
    on: tab("Ledger"),
    done: () => document.querySelector("table[aria-label=Ledger][aria-busy=false] tbody tr") !== null,
  },
  {
    name: selectAll,
    prepare: async (page) => {
      await toList(page)
      await page.keyboard.press("Escape")
      await toAddress(page, "/members?per_page=100")
      await page.locator(rowLink("members")).nth(99).waitFor()
    },
    on: "thead input[type=checkbox]",
    done: () =>
      document.querySelectorAll("tbody input:checked").length === 100 &&
      document.querySelector("section[aria-label='Selected rows']") !== null,
  },
  {
    name: "search, last key to rows",
    prepare: async (page, { text }) => {
      await toList(page)
      await page.locator(searchField).pressSequentially(text.slice(0, -1))
      await page.waitForURL((url) => url.searchParams.get("search") === text.slice(0, -1))
      await page.locator("table[aria-busy=false]").waitFor()
    },
    on: searchField,
    key: ({ text }) => text.at(-1) ?? "",
    done: (_first, busy, requests) => {
      const text = document.querySelector<HTMLInputElement>("[data-list-search]")?.value
      const search = new URLSearchParams(location.search).get("search")
      if (search !== text || document.querySelector("table[aria-busy=false]") === null) return false
      // A fast response may leave no busy state to observe.
      return busy || requests.some((name) => new URL(name).searchParams.get("search") === text)
    },
  },
  {
    name: "filter by status",
    prepare: async (page, { slower, turn }) => {
      await toList(page)
      const letter = letters[turn + (slower === 1 ? 0 : turns)] ?? ""
      await page.locator(searchField).fill(letter)
      await page.waitForURL((url) => url.searchParams.get("search") === letter)
      await page.locator(rowLink("members")).first().waitFor()
    },
    on: 'nav[aria-label="Status"] a:has-text("Active")',
    done: (_first, busy) =>
      busy && location.search.includes("active") && document.querySelector("table[aria-busy=false]") !== null,
  },
  {
    name: "sort",
    prepare: async (page) => {
      await toList(page)
      await toAddress(page, "/members?search=harbour")
    },
    on: "thead th button",
    done: () => document.querySelector("table[aria-busy=false] th[aria-sort]") !== null,
  },
]
