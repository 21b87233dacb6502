import { chromium, type Browser, type Request } from "@playwright/test"
import { findBrowser } from "../../scripts/browser.mjs"
import { startAwards } from "../e2e/app-jobs.ts"
import { readMemberIds } from "../e2e/members.ts"
import { startAppProcess } from "../support/app-process.ts"
import type { Figure } from "./report.ts"

/** A browser with an empty cache. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await findBrowser()
  return chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  })
}

/**
 * Compressed JS and CSS of one view with an empty cache, in KB (1,000 bytes) without headers, until no more is
 * requested.
 */
export async function measureBytes(): Promise<Figure[]> {
  const app = await startAppProcess({ PROGRAM_RATE_LIMIT: "6000", SANDBOX_RATE_LIMIT: "6000" })
  const browser = await openBrowser()

  const signInBytes = await received(browser, `${app.url}/sign-in`, [])
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${app.url}/sign-in`)
  await page.getByRole("button", { name: /Manager/ }).click()
  await page.waitForURL((at) => at.pathname === "/")
  const cookies = await context.cookies()
  // Before the job: a running job loads its own code on every page.
  const listBytes = await received(browser, `${app.url}/members`, cookies)
  const members = await readMemberIds(page, 20)
  const job = await startAwards(
    page,
    app.url,
    members.map((id) => ({ member_id: id, points: 10, reason: "Measured" })),
  )
  await context.close()
  const further: Figure[] = []
  for (const [name, path] of [
    ["home", "/"],
    ["rewards", "/rewards"],
    ["leaderboards", "/leaderboards"],
    ["leaderboard", "/leaderboards/lb_q4sprint"],
    ["orders", "/orders"],
    ["ship desk", "/orders/ship"],
    ["tracking numbers from a file", "/orders/tracking-file"],
    ["gift cards", "/cards"],
    ["issue cards from a file", "/cards/issue-file"],
    ["award from a file", "/members/points-file"],
    ["activity", "/jobs"],
    ["job", `/jobs/${job}`],
    ["points report", "/reports/points"],
  ] as const) {
    const value = await received(browser, app.url + path, cookies)
    further.push({
      name: `${name}, JS and CSS on the wire`,
      value,
      unit: "KB",
    })
  }

  await browser.close()
  await app.stop()
  return [
    { name: "sign-in, JS and CSS on the wire", value: signInBytes, unit: "KB" },
    { name: "members list, JS and CSS on the wire", value: listBytes, unit: "KB", atMost: 250 },
    ...further,
  ]
}

type Cookies = Parameters<Awaited<ReturnType<Browser["newContext"]>>["addCookies"]>[0]

async function received(browser: Browser, url: string, cookies: Cookies): Promise<number> {
  const context = await browser.newContext()
  await context.addCookies(cookies)
  const page = await context.newPage()
  const sizes: Promise<number>[] = []
  page.on("requestfinished", (request) => {
    if (!isCode(request)) return
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
  })
  await page.goto(url)
  await page.getByRole("heading", { level: 1 }).waitFor()
  await quiet(page)
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  await context.close()
  return bytes / 1000
}

/** Resolves after 1.5 s without a script or style sheet request. The event stream never ends, so it does not count. */
async function quiet(page: Awaited<ReturnType<Browser["newPage"]>>): Promise<void> {
  let last = performance.now()
  page.on("request", (request) => {
    if (isCode(request)) last = performance.now()
  })
  while (performance.now() - last < 1500) await page.waitForTimeout(100)
}

function isCode(request: Request): boolean {
  return ["script", "stylesheet"].includes(request.resourceType())
}
