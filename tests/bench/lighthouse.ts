import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { chromium } from "@playwright/test"
import * as z from "zod"
import { freePort } from "../support/child.ts"
import { withApps } from "./apps.ts"
import { peerFolder } from "./peer.ts"
import type { Figure } from "./report.ts"

/** Further to the first member's. */
const pagePaths = [
  "/",
  "/members",
  "/rewards",
  "/orders",
  "/orders/ship",
  "/leaderboards",
  "/cards",
  "/jobs",
  "/settings/about",
]
const bounds = { performance: 88, accessibility: 100, "best-practices": 100 } as const
const categories = Object.keys(bounds)
/** What the performance score is made of. */
const metrics = [
  "first-contentful-paint",
  "largest-contentful-paint",
  "speed-index",
  "total-blocking-time",
  "cumulative-layout-shift",
]

/**
 * Benchmark index of the phone that is simulated. Lighthouse slows the CPU down four times by default, which assumes a
 * desktop of 1600; the same factor on a slow machine simulates no phone that exists.
 */
const phoneIndex = 400

const result = z.object({
  lhr: z.object({
    environment: z.object({ benchmarkIndex: z.number() }),
    categories: z.record(
      z.string(),
      z.object({ score: z.number().nullable(), auditRefs: z.array(z.object({ id: z.string() })) }),
    ),
    audits: z.record(
      z.string(),
      z.object({
        score: z.number().nullable(),
        displayValue: z.optional(z.string()),
        details: z.optional(z.looseObject({ items: z.optional(z.unknown()) })),
      }),
    ),
    runtimeError: z.optional(z.object({ message: z.string() })),
  }),
})
type Audit = (url: string, flags: object, config: object) => Promise<unknown>
const library = z.object({ default: z.custom<Audit>((value) => typeof value === "function") })

/** Lighthouse's mobile scores (0 to 100) of ten pages: the lowest of each category, with the failed audits. */
export async function measureLighthouse(): Promise<Figure[]> {
  const port = await freePort()
  return withApps({ debuggingPort: port }, async ({ sandbox, url, signedIn }) => {
    const pages = [...pagePaths, `/members/${sandbox.store.members.idAt(0)}`]
    // Lighthouse opens its pages in the browser's own context. Requests by way of the service worker lack extra headers.
    const overPort = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
    await overPort.contexts()[0]?.addCookies(await (await signedIn()).cookies())
    // Installed with the peer's packages.
    const entry = createRequire(join(peerFolder, "package.json")).resolve("lighthouse")
    const { default: lighthouse } = library.parse({ ...(await import(pathToFileURL(entry).href)) })
    const lowest = new Map<string, number>()
    const config = { extends: "lighthouse:default" }
    const first = result.parse(await lighthouse(`${url}/`, { port, logLevel: "error" }, config))
    const { benchmarkIndex } = first.lhr.environment
    const cpuSlowdownMultiplier = Math.max(1, benchmarkIndex / phoneIndex)
    process.stdout.write(`  benchmark index ${benchmarkIndex}: CPU ÷${cpuSlowdownMultiplier.toFixed(1)}\n`)
    for (const page of pages) {
      const flags = {
        port,
        onlyCategories: categories,
        logLevel: "error",
        throttling: { cpuSlowdownMultiplier },
      }
      const audit = async () => result.parse(await lighthouse(url + page, flags, config)).lhr
      // Its trace sometimes lacks the navigation; then it asks to be run again.
      let lhr = await audit()
      for (let turn = 0; turn < 3 && lhr.runtimeError !== undefined; turn += 1) lhr = await audit()
      if (lhr.runtimeError !== undefined) throw new Error(`${page}: ${lhr.runtimeError.message}`)
      for (const [name, { score, auditRefs }] of Object.entries(lhr.categories)) {
        const points = Math.round((score ?? 0) * 100)
        lowest.set(name, Math.min(points, lowest.get(name) ?? 100))
        if (name === "performance") {
          const figures = metrics.map((id) => `${id} ${lhr.audits[id]?.displayValue ?? ""}`)
          process.stdout.write(`  ${page}, performance ${points}: ${figures.join(", ")}\n`)
          continue
        }
        for (const { id } of auditRefs) {
          const { score: passed, details } = lhr.audits[id] ?? {}
          if (typeof passed !== "number" || passed === 1) continue
          process.stdout.write(`  ${page}, ${id}: ${JSON.stringify(details?.items ?? null).slice(0, 500)}\n`)
        }
      }
    }
    return Object.entries(bounds).map(([name, atLeast]) => ({
      name: `Lighthouse, ${name}, lowest of ${pages.length} pages`,
      unit: "",
      value: lowest.get(name) ?? 0,
      atLeast,
    }))
  })
}
