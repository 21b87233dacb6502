/**
 * Takes the README's pictures and its recording from the built app on its own sandbox. By hand, after `npm run build`:
 * node scripts/pictures.ts [pictures | recording]
 */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { chromium, type Page } from "@playwright/test"
import { anaSilva } from "../tests/e2e/members.ts"
import { startAppProcess } from "../tests/support/app-process.ts"
import { findBrowser } from "./browser.mjs"

const folder = fileURLToPath(new URL("../docs/images/", import.meta.url))
/** No picture may be larger: who clones the project fetches each of them. */
const largest = 300_000
const largestRecording = 1_500_000
/** Shorter frames are dropped, and the last one lasts this long, in ms. */
const shortestMs = 75
const lastMs = 3000
/** ImageMagick silently drops what exceeds its default memory limit. */
const mostFrames = 110

const [only] = process.argv.slice(2)
if (only !== "pictures" && spawnSync("convert", ["-version"]).status !== 0) {
  process.stderr.write(
    "The recording is put together by ImageMagick, which is not installed (apt-get install imagemagick). " +
      "`node scripts/pictures.ts pictures` takes the pictures without it.\n",
  )
  process.exit(1)
}
const executablePath = await findBrowser()
const app = await startAppProcess({ PROGRAM_RATE_LIMIT: "60", SANDBOX_HISTORY: "1" })
const browser = await chromium.launch({
  ...(executablePath === undefined ? {} : { executablePath }),
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
})
const device = { locale: "en-AU", timezoneId: "Australia/Brisbane", reducedMotion: "reduce" } as const
try {
  if (only !== "recording") await capturePictures()
  if (only !== "pictures") await record("award-and-ship")
} finally {
  await browser.close()
  await app.stop()
}

async function signedIn(width: number, height: number): Promise<Page> {
  const page = await browser.newPage({ ...device, viewport: { width, height } })
  await page.goto(`${app.url}/sign-in`)
  await page.getByRole("button", { name: /Manager/ }).click()
  await page
    .getByText(/^Updated/)
    .first()
    .waitFor()
  return page
}

async function capturePictures(): Promise<void> {
  const page = await signedIn(1440, 900)
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
  await page.waitForFunction(() => !document.body.innerText.includes("mem_"), undefined, { timeout: 120_000 })
  await take(page, "ship-desk-dark")
  await page.close()
}

/** Finds a member, awards her points and ships a parcel, at typing speed. */
async function awardAndShip(page: Page): Promise<void> {
  const type = async (text: string) => {
    await page.keyboard.type(text, { delay: 70 })
    await page.waitForTimeout(500)
  }
  await page.waitForTimeout(1200)
  await page.keyboard.press("Control+k")
  await page.getByRole("dialog").waitFor()
  await type("ana silva")
  await page
    .getByRole("option", { name: /Ana Silva/ })
    .first()
    .waitFor()
  await page.keyboard.press("Enter")
  await page.getByRole("columnheader", { name: "Balance after" }).waitFor()
  await page.waitForTimeout(1200)
  await page
    .getByRole("main")
    .getByRole("link", { name: /^Award/ })
    .first()
    .click()
  const drawer = page.getByRole("dialog", { name: "Award points" })
  await drawer.getByLabel("Points", { exact: true }).focus()
  await type("250")
  await drawer.getByLabel("Reason", { exact: true }).focus()
  await type("Trade night, Maroochydore")
  await page.waitForTimeout(800)
  await drawer.getByRole("button", { name: "Award 250 points to Ana Silva" }).click()
  await page.getByText("250 points awarded to Ana Silva").first().waitFor()
  await page.waitForTimeout(2000)
  await page.keyboard.press("Control+k")
  await type("ship")
  await page.keyboard.press("Enter")
  await page.getByRole("textbox", { name: "Scan the order" }).waitFor()
  const queue = page.getByRole("complementary", { name: "To ship" }).getByRole("listitem")
  const words = (await queue.first().textContent()) ?? ""
  await page.waitForTimeout(1200)
  await type(/ord_\d+/.exec(words)?.[0] ?? "")
  await page.keyboard.press("Enter")
  await page.getByRole("textbox", { name: "Scan the parcel" }).waitFor()
  await page.waitForTimeout(600)
  await type("RB400073511AU")
  await page.keyboard.press("Enter")
  await page.getByText("1 shipped here today").waitFor()
  await page.waitForTimeout(1000)
}

/** Records what `awardAndShip` does: each painted picture, with its duration. */
async function record(name: string): Promise<void> {
  const page = await signedIn(1120, 700)
  const tools = await page.context().newCDPSession(page)
  const frames: { readonly data: Buffer; readonly at: number }[] = []
  tools.on("Page.screencastFrame", ({ data, metadata, sessionId }) => {
    frames.push({ data: Buffer.from(data, "base64"), at: (metadata.timestamp ?? 0) * 1000 })
    void tools.send("Page.screencastFrameAck", { sessionId })
  })
  await tools.send("Page.startScreencast", { format: "png" })
  await awardAndShip(page)
  await tools.send("Page.stopScreencast")
  await page.close()
  const path = `${folder}${name}.webp`
  const scratch = mkdtempSync(join(tmpdir(), "laurel-recording-"))
  const inOrder = frames.toSorted((a, b) => a.at - b.at)
  const shown = inOrder.filter(({ at }, index) => (inOrder[index + 1]?.at ?? Infinity) - at >= shortestMs)
  if (shown.length > mostFrames)
    throw new Error(`The recording has ${shown.length} frames; ${mostFrames} are the most.`)
  const pictures = shown.flatMap(({ data, at }, index) => {
    const file = join(scratch, `${index}.png`)
    writeFileSync(file, data)
    const ms = (shown[index + 1]?.at ?? at + lastMs) - at
    return ["-delay", String(Math.round(ms / 10)), file]
  })
  execFileSync("convert", ["-loop", "0", ...pictures, "-quality", "70", "-define", "webp:method=6", path])
  rmSync(scratch, { recursive: true })
  checkSize(path, largestRecording)
}

/** Saves what is on the screen. Throws when the file is larger than a README should load. */
async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0)
  // The typeface and notifications arrive shortly after the page.
  await page.waitForFunction(() => [...document.fonts].some(({ status }) => status === "loaded"))
  await page
    .getByText(/need attention/)
    .first()
    .waitFor()
  const path = `${folder}${name}.png`
  await page.screenshot({ path, animations: "disabled" })
  checkSize(path, largest)
}

function checkSize(path: string, most: number): void {
  const { size } = statSync(path)
  if (size > most) throw new Error(`${path} has ${size} bytes; ${most} are the most.`)
  process.stdout.write(`${path}, ${Math.round(size / 1000)} KB\n`)
}
