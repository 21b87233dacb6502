import { expect } from "@playwright/test"
import { demoKey } from "../../sandbox/config.ts"
import { freePort } from "../support/child.ts"
import { startAppProcess, upstreamEnv } from "../support/app-process.ts"
import { startSandboxProcess } from "../support/sandbox-process.ts"
import { signIn, signInAgain, test, watch } from "./app.ts"
import { anaSilva } from "./members.ts"

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

  test("a session that ends during an edit keeps the form and saves it after signing in again", async ({
    page,
    staging,
  }) => {
    await signIn(page, staging.app.url)
    const member = await anaSilva(page, staging.app.url)
    // The page's last read, so that the save meets the ended session.
    const balance = page.waitForResponse(/\/balance$/)
    await page.goto(`${staging.app.url}/members/${member}/edit`)
    await balance
    await expect(page.getByRole("table", { name: "Ledger" }).getByRole("row").nth(1)).toBeAttached()
    await page.getByLabel("Phone").fill("+61 400 111 222")
    await page.context().clearCookies()
    await page.getByRole("button", { name: /^Save/ }).click()
    await signInAgain(page)
    // The pending request was resent automatically.
    await expect(page.getByText("Changes saved")).toBeVisible()
    const edits = (await staging.sandbox.requests()).filter(({ method }) => method === "PATCH")
    expect(edits.filter(({ body }) => body.includes("400 111 222"))).toHaveLength(1)
  })

  test("signing out in another tab asks for the password here and keeps the form", async ({
    page,
    context,
    staging,
  }) => {
    await signIn(page, staging.app.url)
    await page.goto(`${staging.app.url}/members/new`)
    await page.getByLabel("E-mail", { exact: true }).fill("kim.later@example.com")
    await page.getByLabel("First name").fill("Kim")

    const other = await context.newPage()
    const complaints: string[] = []
    watch(other, complaints)
    await other.goto(`${staging.app.url}/settings/about`)
    await other.getByRole("button", { name: /Your menu/ }).click()
    await other.getByRole("menuitem", { name: "Sign out" }).click()
    await expect(other.getByRole("heading", { name: /Sign in/ })).toBeVisible()
    expect(complaints).toEqual([])
    await other.close()

    await signInAgain(page)
    await page.getByLabel("Last name").fill("Later")
    await page.getByRole("button", { name: "Create Kim Later" }).click()
    await expect(page.getByText("Kim Later is a member now")).toBeVisible()
  })

  test("an exhausted budget shows a countdown, never a 429, and the page continues automatically", async ({
    page,
  }) => {
    const sandbox = await startSandboxProcess({ SANDBOX_RATE_LIMIT: "4" })
    const app = await startAppProcess(upstreamEnv(sandbox.url, demoKey, 4))
    const refusals: string[] = []
    page.on("response", (response) => {
      if (response.status() === 429) refusals.push(response.url())
    })
    await signIn(page, app.url, "/members")
    await expect(page.getByRole("table").getByRole("row").nth(1)).toBeVisible()
    for (const tier of ["Gold", "Silver", "Bronze"]) {
      await page.goto(`${app.url}/members?tier=${tier}`)
      await expect(page.getByRole("button", { name: /Tier/ }).first()).toBeVisible()
    }

    await page.goto(`${app.url}/members?search=ana.silva`)
    await expect(page.getByRole("link", { name: /Busy, lists may take \d+ s/ })).toBeVisible()
    await expect(page.getByRole("link", { name: "Ana Silva", exact: true })).toBeVisible({
      timeout: 75_000,
    })
    await expect(page.getByText("429")).toHaveCount(0)
    expect(refusals).toEqual([])
    expect((await sandbox.requests()).filter(({ status }) => status === 429)).toEqual([])
    await app.stop()
    await sandbox.stop()
  })
})
