import type { Page } from "@playwright/test"
import { createSandbox, type Sandbox } from "../../sandbox/app.ts"
import { demoKey } from "../../sandbox/config.ts"
import { serveSandbox } from "../../sandbox/serve.ts"
import { admin, startAppProcess, upstreamEnv } from "../support/app-process.ts"
import { openBrowser } from "./bytes.ts"
import type { Figure } from "./report.ts"

/**
 * Upstream requests of *open list, filter, open 5 members and go back, edit one*, in a real browser: cold, and once
 * more right after, while the answers are fresh.
 */
export async function measureSession(): Promise<Figure[]> {
  const sandbox = createSandbox({ rateLimit: 0 })
  const served = await serveSandbox(sandbox, { host: "127.0.0.1", port: 0 })
  const app = await startAppProcess(upstreamEnv(served.url, demoKey, 6000))
  const browser = await openBrowser()
  const page = await browser.newPage({ locale: "en-AU" })
  await page.goto(`${app.url}/sign-in?redirect=%2Fsettings%2Fstatus`)
  await page.getByLabel("E-mail").fill(admin.email)
  await page.getByLabel("Password", { exact: true }).fill(admin.password)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.waitForURL((at) => at.pathname.startsWith("/settings"))

  const figures: Figure[] = []
  for (const temperature of ["cold", "warm"]) {
    const steps = await session(page, app.url, sandbox)
    figures.push(
      ...Object.entries(steps).map(([step, value]) => ({
        name: `${temperature}: ${step}`,
        value,
        unit: "requests",
      })),
      {
        name: `${temperature}: in all`,
        value: Object.values(steps).reduce((sum, n) => sum + n, 0),
        unit: "requests",
      },
    )
    const perMember = steps["open 5 members and go back"] / 5
    figures.push({
      name: `${temperature}: for each member page`,
      value: perMember,
      unit: "requests",
      atMost: 2,
    })
  }
  await browser.close()
  await app.stop()
  await served.close()
  return figures
}

async function session(page: Page, url: string, sandbox: Sandbox) {
  const count = async (step: () => Promise<void>) => {
    const before = sandbox.requests.count
    await step()
    return sandbox.requests.count - before
  }
  // A row has links to awarding and the like, too.
  const rows = page.getByRole("table").locator('a[href^="/members/"]')
  const list = await count(async () => {
    await page.goto(`${url}/members`)
    await rows.first().waitFor()
  })
  const filter = await count(async () => {
    await page.getByPlaceholder("Name or e-mail").fill("climate")
    await page.waitForURL(/search=climate/)
    await page.getByText(/^\d+ match/).waitFor()
  })
  const members = await count(async () => {
    for (let row = 0; row < 5; row += 1) {
      await rows.nth(row).click()
      await page.getByRole("columnheader", { name: "Balance after" }).waitFor()
      await page.goBack()
      await rows.nth(row).waitFor()
    }
  })
  const edit = await count(async () => {
    await rows.first().click()
    await page.getByRole("link", { name: "Edit" }).first().click()
    await page.getByLabel("Company").fill(`Coastal Climate ${sandbox.requests.count}`)
    await page.getByRole("button", { name: /^Save/ }).click()
    await page.getByText(/saved/i).first().waitFor()
  })
  return { "open the list": list, filter, "open 5 members and go back": members, "edit one": edit }
}
