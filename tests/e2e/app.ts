import { test as base, expect, type BrowserContext, type Page } from "@playwright/test"
import type { Role } from "../../contract/roles.ts"
import { demoPassword, demoPeople } from "../../sandbox/seed/people.ts"
import { serveDemo, type ServedDemo } from "../../scripts/demo.ts"
import { admin, startAppProcess, type AppProcess } from "../support/app-process.ts"
import { startCopiedApp } from "./copied-app.ts"
import { startMoneyApp, type MoneyApp } from "./money-app.ts"
import { recordIds } from "./program-places.ts"

/** Apps that a worker starts on first use and shares among its tests. */
interface WorkerFixtures {
  /** On the built-in sandbox, with demo accounts. */
  builtIn: AppProcess
  /** Session of its administrator for read-only tests, and ids of the records they open. */
  readOnly: { cookies: Awaited<ReturnType<BrowserContext["cookies"]>>; ids: Record<string, string> }
  moneyApp: MoneyApp
  /** With a complete local copy of few members. */
  copied: AppProcess
  /** With one of the members of many companies. */
  companies: AppProcess
  demo: ServedDemo
}

interface TestFixtures {
  /** Errors of the page during a test. */
  complaints: string[]
  /** Its faults are removed after each test. */
  money: MoneyApp
}

/** Tests with apps, shared by all files of a worker. A console error or a refused resource fails the test. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  builtIn: workerFixture(
    () => startAppProcess({ PROGRAM_RATE_LIMIT: "6000", SANDBOX_RATE_LIMIT: "6000" }),
    (app) => app.stop(),
  ),
  readOnly: [
    async ({ browser, builtIn }, use) => {
      const page = await browser.newPage()
      await enter(page, builtIn.url, "admin")
      await use({ cookies: await page.context().cookies(), ids: await recordIds(page, builtIn.url) })
      await page.close()
    },
    { scope: "worker" },
  ],
  moneyApp: workerFixture(startMoneyApp, async ({ app, service }) => {
    await app.stop()
    await service.stop()
  }),
  copied: workerFixture(
    () => startCopiedApp(12),
    (app) => app.stop(),
  ),
  companies: workerFixture(
    () => startCopiedApp(200),
    (app) => app.stop(),
  ),
  demo: workerFixture(
    () => serveDemo("127.0.0.1", 0, "/laurel/"),
    (demo) => demo.close(),
  ),
  money: [
    async ({ moneyApp }, use) => {
      await use(moneyApp)
      await moneyApp.service.reset()
    },
    { scope: "test" },
  ],
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = []
      watch(page, complaints)
      await use(complaints)
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],
})

/** A fixture started on first use in a worker and stopped at the worker's end. */
function workerFixture<T>(start: () => Promise<T>, stop: (value: T) => Promise<void>) {
  const fixture = async (
    // oxlint-disable-next-line no-empty-pattern -- the runner demands a destructured first argument
    {}: object,
    run: (value: T) => Promise<void>,
  ) => {
    const value = await start()
    await run(value)
    await stop(value)
  }
  return [fixture, { scope: "worker" }] satisfies [unknown, { scope: "worker" }]
}

/** Collects console errors, uncaught errors and CSP violations of a page. */
export function watch(page: Page, complaints: string[]): void {
  page.on("console", (message) => {
    if (message.type() !== "error") return
    // The browser logs every failed response; Laurel handles those and tests assert on them.
    if (message.text().startsWith("Failed to load resource")) return
    complaints.push(message.text())
  })
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`))
}

/** Signs in as a demo user of the built-in sandbox, and opens `path` if given. */
export async function enter(page: Page, url: string, role: Role, path?: string): Promise<void> {
  const account = demoPeople.find((one) => one.role === role)
  if (account === undefined) throw new Error(`There is no demo account for ${role}.`)
  await open(page, url, { email: account.email, password: demoPassword }, path)
}

/** Signs in as the administrator of an app on staging, and opens `path` if given. */
export async function signIn(page: Page, url: string, path?: string): Promise<void> {
  await open(page, url, admin, path)
}

/** Signs in over HTTP, without the sign-in page. */
async function open(page: Page, url: string, account: typeof admin, path?: string): Promise<void> {
  const answer = await page.request.post(`${url}/api/session`, {
    headers: { "X-Laurel": "1" },
    data: account,
  })
  expect(answer.status()).toBe(200)
  if (path !== undefined) await page.goto(url + path)
}

/** Signs in again in the dialog of an ended session. */
export async function signInAgain(page: Page): Promise<void> {
  const again = page.getByRole("dialog", { name: "Sign in again" })
  await again.getByLabel("Password", { exact: true }).fill(admin.password)
  await again.getByRole("button", { name: "Sign in", exact: true }).click()
  await expect(again).toBeHidden()
}
