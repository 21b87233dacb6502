import { expect, type Page } from "@playwright/test"
import { demoKey } from "../../sandbox/config.ts"
import { startAppProcess, upstreamEnv } from "../support/app-process.ts"
import { startSandboxProcess } from "../support/sandbox-process.ts"
import { enter, signIn, test } from "./app.ts"
import { reportMeasurement } from "./report-measurement.ts"

const todo = (page: Page) => page.getByRole("region", { name: "Needs attention" })

/** Waits until every part of the page has loaded. */
async function settled(page: Page): Promise<void> {
  await expect(todo(page).getByRole("link").first()).toBeVisible()
  await expect(page.getByText(/^Updated/)).toBeVisible()
  await expect(page.getByText("Loading", { exact: true })).toHaveCount(0)
}

/** Long cache times, so that nothing expires during the test on a slow machine. */
async function extendCacheTimes(page: Page): Promise<void> {
  const status = await page.evaluate(async () => {
    const body = JSON.stringify({ members: 600, rewards: 600, leaderboards: 600, orders: 600 })
    const headers = { "Content-Type": "application/json", "X-Laurel": "1" }
    return (await fetch("/api/settings/cache", { method: "PUT", headers, body })).status
  })
  expect(status).toBe(200)
}

test("the home page makes at most 8 upstream requests cold and none while cached", async ({ page }) => {
  const sandbox = await startSandboxProcess()
  const app = await startAppProcess(upstreamEnv(sandbox.url, demoKey, 60))
  try {
    const count = async () => (await sandbox.requests()).length
    await signIn(page, app.url, "/settings/about")
    await extendCacheTimes(page)
    const before = await count()
    await page.goto(app.url)
    await settled(page)
    const cold = (await count()) - before
    await page.reload()
    await settled(page)
    await page.getByRole("navigation").getByRole("link", { name: "Audit log" }).first().click()
    await expect(page.getByRole("table").getByRole("row").nth(1)).toBeVisible()
    await page.goBack()
    await settled(page)
    const warm = (await count()) - before - cold
    reportMeasurement(test.info(), `home: ${cold} requests cold; again, to another page and back: ${warm}`)
    expect(cold).toBeLessThanOrEqual(8)
    expect(warm).toBe(0)
  } finally {
    await app.stop()
    await sandbox.stop()
  }
})

test("the home page links a role's tasks to their pages", async ({ page, builtIn }) => {
  await enter(page, builtIn.url, "fulfilment", "/")
  await todo(page)
    .getByRole("link", { name: /to ship/ })
    .click()
  await expect(page).toHaveURL(/\/orders\/ship$/)
  await page.goto(builtIn.url)
  await expect(page.getByRole("region", { name: "Members" })).toHaveCount(0)
  await expect(page.getByText(/@/)).toHaveCount(0)
})
