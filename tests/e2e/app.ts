import { test as base, expect, type BrowserContext, type Page } from "@playwright/test"
import type { Role } from "../../contract/roles.ts"
import { demoPassword, demoPeople } from "../../contract/users.ts"
import { demoKey } from "../../sandbox/config.ts"
import { serveDemo, type ServedDemo } from "../../scripts/demo.ts"
import { admin, startAppProcess, upstreamEnv, type AppProcess } from "../support/app-process.ts"
import { startSandboxProcess, type SandboxProcess } from "../support/sandbox-process.ts"
import { startCardsApp, type CardsApp } from "./cards-app.ts"
import { startMoneyApp, type MoneyApp } from "./money-app.ts"
import { idsSeen } from "./program-places.ts"

/** Apps that a worker starts when a test first asks for one, and keeps for all its tests. */
interface WorkerThings {
  /** On the built-in sandbox, with its demo accounts. */
  builtIn: AppProcess
  /** Its administrator, signed in once for tests that only look, and the ids of the records they look at. */
  onlooker: { cookies: Awaited<ReturnType<BrowserContext["cookies"]>>; ids: Record<string, string> }
  /** An app on staging whose services are a sandbox in a process of its own. */
  staging: { app: AppProcess; sandbox: SandboxProcess }
  moneyApp: MoneyApp
  cardsApp: CardsApp
  demo: ServedDemo
}

interface TestThings {
  /** Whatever a page complained about while a test looked at it. */
  complaints: string[]
  /** Faults are gone after each test. */
  money: MoneyApp
  /** What a test changed at the service is put back after it. */
  cards: CardsApp
}

/**
 * Tests with apps to look at. One set of apps for all files, so that a worker goes on from file to file. A console error
 * or a refused resource fails the test that saw it.
 */
export const test = base.extend<TestThings, WorkerThings>({
  builtIn: kept(
    () => startAppProcess({ PROGRAM_RATE_LIMIT: "6000", SANDBOX_RATE_LIMIT: "6000" }),
    (app) => app.stop(),
  ),
  onlooker: [
    async ({ browser, builtIn }, use) => {
      const page = await browser.newPage()
      await enter(page, builtIn.url, "admin")
      await use({ cookies: await page.context().cookies(), ids: await idsSeen(page, builtIn.url) })
      await page.close()
    },
    { scope: "worker" },
  ],
  staging: kept(
    async () => {
      const sandbox = await startSandboxProcess()
      return { app: await startAppProcess(upstreamEnv(sandbox.url, demoKey, 6000)), sandbox }
    },
    async ({ app, sandbox }) => {
      await app.stop()
      await sandbox.stop()
    },
  ),
  moneyApp: kept(startMoneyApp, async ({ app, service }) => {
    await app.stop()
    await service.stop()
  }),
  cardsApp: kept(startCardsApp, async ({ app, between, service }) => {
    await app.stop()
    await between.stop()
    await service.stop()
  }),
  demo: kept(
    () => serveDemo("127.0.0.1", 0),
    (demo) => demo.close(),
  ),
  money: [
    async ({ moneyApp }, use) => {
      await use(moneyApp)
      await moneyApp.service.calm()
    },
    { scope: "test" },
  ],
  cards: [
    async ({ cardsApp }, use) => {
      await use(cardsApp)
      cardsApp.between.meddle({})
      await cardsApp.service.calm()
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

/** What a worker starts when it is first asked for, and stops at its end. */
function kept<T>(start: () => Promise<T>, stop: (thing: T) => Promise<void>) {
  const fixture = async (
    // oxlint-disable-next-line no-empty-pattern -- the runner demands a destructured first argument
    {}: object,
    run: (thing: T) => Promise<void>,
  ) => {
    const thing = await start()
    await run(thing)
    await stop(thing)
  }
  return [fixture, { scope: "worker" }] satisfies [unknown, { scope: "worker" }]
}

/** Collects console errors, uncaught errors and content-security violations of a page. */
export function watch(page: Page, complaints: string[]): void {
  page.on("console", (message) => {
    if (message.type() !== "error") return
    // The browser itself logs each answer that is not a success; Laurel handles those and the test asserts on it.
    if (message.text().startsWith("Failed to load resource")) return
    complaints.push(message.text())
  })
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`))
}

/** Signs in as a demo account of the built-in sandbox, and opens a page if one is named. */
export async function enter(page: Page, url: string, role: Role, path?: string): Promise<void> {
  const account = demoPeople.find((one) => one.role === role)
  if (account === undefined) throw new Error(`There is no demo account for ${role}.`)
  await open(page, url, { email: account.email, password: demoPassword }, path)
}

/** Signs in as the administrator an app on staging starts with, and opens a page if one is named. */
export async function signIn(page: Page, url: string, path?: string): Promise<void> {
  await open(page, url, admin, path)
}

/** Asks for the session as the sign-in page would: what is tested begins after it. */
async function open(page: Page, url: string, account: typeof admin, path?: string): Promise<void> {
  const answer = await page.request.post(`${url}/api/session`, {
    headers: { "X-Laurel": "1" },
    data: account,
  })
  expect(answer.status()).toBe(200)
  if (path !== undefined) await page.goto(url + path)
}

/** Signs in again over the page, where the session ended. */
export async function signInAgain(page: Page): Promise<void> {
  const again = page.getByRole("dialog", { name: "Sign in again" })
  await again.getByLabel("Password", { exact: true }).fill(admin.password)
  await again.getByRole("button", { name: "Sign in", exact: true }).click()
  await expect(again).toBeHidden()
}
