import { test as base, expect, type Page } from "@playwright/test"
import { demoKey } from "../../sandbox/config.ts"
import { admin, startAppProcess, upstreamEnv, type AppProcess } from "../support/app-process.ts"
import { startSandboxProcess, type SandboxProcess } from "../support/sandbox-process.ts"

/** An app on the built-in sandbox, with its demo accounts, for a whole worker. */
interface WorkerThings {
  builtIn: AppProcess
  /** An app on staging whose services are a sandbox in a process of its own. */
  staging: { app: AppProcess; sandbox: SandboxProcess }
}

/** Whatever a page complained about while a test looked at it. */
interface TestThings {
  complaints: string[]
}

/** Tests with apps to look at. A console error or a refused resource fails the test that saw it. */
export const test = base.extend<TestThings, WorkerThings>({
  builtIn: [
    // oxlint-disable-next-line no-empty-pattern -- the runner demands a destructured first argument
    async ({}, use) => {
      const app = await startAppProcess({ PROGRAM_RATE_LIMIT: "6000", SANDBOX_RATE_LIMIT: "6000" })
      await use(app)
      await app.stop()
    },
    { scope: "worker" },
  ],
  staging: [
    // oxlint-disable-next-line no-empty-pattern -- the runner demands a destructured first argument
    async ({}, use) => {
      const sandbox = await startSandboxProcess()
      const app = await startAppProcess(upstreamEnv(sandbox.url, demoKey, 6000))
      await use({ app, sandbox })
      await app.stop()
      await sandbox.stop()
    },
    { scope: "worker" },
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

/** The demo accounts of the built-in sandbox, by what the sign-in page calls them. */
export type DemoAccount = "Administrator" | "Manager" | "Fulfilment" | "Viewer"

/** Signs in with one click on a demo account and waits for Laurel. */
export async function enter(page: Page, url: string, account: DemoAccount, path = "/"): Promise<void> {
  await page.goto(`${url}/sign-in?redirect=${encodeURIComponent(path)}`)
  await page.getByRole("button", { name: new RegExp(account) }).click()
  await page.waitForURL((at) => !at.pathname.startsWith("/sign-in"))
}

/** Signs in as the administrator an app on staging starts with, at the page that asks for it: the members. */
export async function signIn(page: Page, url: string, path = "/members"): Promise<void> {
  await page.goto(url + path)
  await page.getByLabel("E-mail").fill(admin.email)
  await page.getByLabel("Password", { exact: true }).fill(admin.password)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.waitForURL((at) => !at.pathname.startsWith("/sign-in"))
}

/** Signs in again over the page, where the session ended. */
export async function signInAgain(page: Page): Promise<void> {
  const again = page.getByRole("dialog", { name: "Sign in again" })
  await again.getByLabel("Password", { exact: true }).fill(admin.password)
  await again.getByRole("button", { name: "Sign in", exact: true }).click()
  await expect(again).toBeHidden()
}
