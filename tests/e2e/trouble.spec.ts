import { expect } from "@playwright/test"
import { demoKey } from "../../sandbox/config.ts"
import { freePort } from "../support/child.ts"
import { startAppProcess, upstreamEnv } from "../support/app-process.ts"
import { startSandboxProcess } from "../support/sandbox-process.ts"
import { signIn, test } from "./app.ts"

test.describe("unavailable services and sessions", () => {
  test("an unreachable service leaves Laurel usable and shows the reason", async ({ page }) => {
    const port = await freePort()
    const app = await startAppProcess(upstreamEnv(`http://127.0.0.1:${port}`, demoKey, 6000))
    await signIn(page, app.url, "/members")
    await expect(page.getByText(/Couldn’t load the members/)).toBeVisible()
    await expect(page.getByText(/not reach|not answer|unreachable/i).first()).toBeVisible()

    await page.getByRole("link", { name: "Audit log" }).click()
    await expect(page.getByRole("row").filter({ hasText: "Signed in" })).toBeVisible()
    await page.goto(`${app.url}/settings/status`)
    await expect(page.getByText("Not answering").first()).toBeVisible()
    await page.goto(`${app.url}/settings/users`)
    await expect(page.getByRole("table").getByRole("row").nth(1)).toBeVisible()

    await page.goto(`${app.url}/members`)
    await expect(page.getByRole("button", { name: "Try again" })).toBeVisible()
    const sandbox = await startSandboxProcess({}, port)
    await page.getByRole("button", { name: "Try again" }).click()
    await expect(page.getByRole("table").getByRole("row").nth(1)).toBeVisible()
    await app.stop()
    await sandbox.stop()
  })
})
