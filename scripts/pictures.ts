/**
 * Takes the README's pictures from the built app on its own sandbox. By hand, after `npm run build`:
 * node scripts/pictures.ts
 */
import { statSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { chromium, type Page } from "@playwright/test"
import { anaSilva } from "../tests/e2e/members.ts"
import { startAppProcess } from "../tests/support/app-process.ts"
import { findBrowser } from "./browser.mjs"

const folder = fileURLToPath(new URL("../docs/images/", import.meta.url))
/** No picture may be larger: who clones the project fetches each of them. */
const largest = 300_000

const executablePath = await findBrowser()
const app = await startAppProcess({ PROGRAM_RATE_LIMIT: "60", SANDBOX_HISTORY: "1" })
const browser = await chromium.launch({
  ...(executablePath === undefined ? {} : { executablePath }),
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
})
try {
  const page = await browser.newPage({
    viewport: { width: 1440, height: 900 },
    locale: "en-AU",
    timezoneId: "Australia/Brisbane",
    reducedMotion: "reduce",
  })
  await page.goto(`${app.url}/sign-in`)
  await page.getByRole("button", { name: /Manager/ }).click()
  await page.getByText(/requests to refresh/).waitFor()
  await take(page, "home-light")

  await page.goto(`${app.url}/members`)
  await page.getByRole("table").getByRole("row").nth(1).waitFor()
  await take(page, "members-light")

  const member = await anaSilva(page, app.url)
  await page.emulateMedia({ colorScheme: "dark" })
  await page.goto(`${app.url}/members/${member}`)
  await page.getByRole("columnheader", { name: "Balance after" }).waitFor()
  await page.locator(".recharts-area-curve").waitFor()
  await take(page, "member-dark")

  await page.goto(`${app.url}/orders/ship`)
  await page.getByRole("heading", { name: "To ship" }).waitFor()
  // Names of members come from spare budget, a little later.
  await page.waitForFunction(() => !document.body.innerText.includes("mem_"), undefined, { timeout: 120_000 })
  await take(page, "ship-desk-dark")
} finally {
  await browser.close()
  await app.stop()
}

/** Saves what is on the screen. Throws when the file is larger than a README should load. */
async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0)
  await page.evaluate(() => document.fonts.ready)
  const path = `${folder}${name}.png`
  await page.screenshot({ path, animations: "disabled" })
  const { size } = statSync(path)
  if (size > largest) throw new Error(`${name}.png has ${size} bytes; ${largest} are the most.`)
  process.stdout.write(`docs/images/${name}.png, ${Math.round(size / 1000)} KB\n`)
}
