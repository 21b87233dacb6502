import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome.exe"]
const places = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
]

/**
 * The path of a Chromium that can be driven: `CHROMIUM_PATH`, the system's, Playwright's own. Undefined if there is
 * none.
 */
export async function findBrowser() {
  const named = process.env.CHROMIUM_PATH
  if (named) return existsSync(named) ? named : undefined
  const onPath = (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((file) => existsSync(file))
  if (onPath !== undefined) return onPath
  const known = places.find((file) => existsSync(file))
  if (known !== undefined) return known
  const { chromium } = await import("@playwright/test")
  const own = chromium.executablePath()
  return own && existsSync(own) ? own : undefined
}

/** Finds a Chromium, and installs one where that is possible: by Playwright, or as root by apt-get. */
export async function prepareBrowser(say) {
  const found = await findBrowser()
  if (found !== undefined || process.env.CHROMIUM_PATH) return found
  for (const installer of installers()) {
    say(`Installing Chromium for the browser tests (${installer.by}) ...`)
    spawnSync(installer.command, installer.args, { stdio: ["ignore", "ignore", "ignore"], timeout: 600_000 })
    const now = await findBrowser()
    if (now !== undefined) return now
  }
  return undefined
}

function installers() {
  const byPlaywright = {
    by: "by Playwright",
    command: "npx",
    args: ["--no-install", "playwright", "install", "chromium"],
  }
  const isRoot = process.getuid?.() === 0
  if (!isRoot) return [byPlaywright]
  const apt = "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium"
  return [byPlaywright, { by: "by apt-get", command: "sh", args: ["-c", apt] }]
}
