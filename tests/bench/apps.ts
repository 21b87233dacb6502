import { type Browser, type BrowserContext, chromium } from "@playwright/test"
import { findBrowser } from "../../scripts/browser.mjs"
import { createSandbox, type Sandbox } from "../../sandbox/app.ts"
import { demoKey } from "../../sandbox/config.ts"
import { serveSandbox } from "../../sandbox/serve.ts"
import { admin, startAppProcess, upstreamEnv } from "../support/app-process.ts"
import { startPeer } from "./peer.ts"

/** Laurel and the peer on one sandbox, and a browser. */
export interface Apps {
  readonly sandbox: Sandbox
  readonly browser: Browser
  readonly url: string
  readonly peerUrl: string
  /** A browser context in which the administrator is signed in to Laurel. */
  readonly signedIn: () => Promise<BrowserContext>
}

export const viewport = { width: 1440, height: 900 }

/**
 * Starts both apps, runs `measure` and stops them.
 * @param options.rateLimit requests a minute that Laurel may send
 * @param options.debuggingPort port of the browser's DevTools
 */
export async function withApps<T>(
  options: {
    sandbox?: Parameters<typeof createSandbox>[0]
    rateLimit?: number
    sync?: "on"
    debuggingPort?: number
  },
  measure: (apps: Apps) => Promise<T>,
): Promise<T> {
  const sandbox = createSandbox({ rateLimit: 0, ...options.sandbox })
  const served = await serveSandbox(sandbox, { host: "127.0.0.1", port: 0 })
  const { sync: SYNC = "off" } = options
  const app = await startAppProcess({ ...upstreamEnv(served.url, demoKey, options.rateLimit ?? 6000), SYNC })
  const peer = await startPeer(served.url, demoKey)
  const browser = await openBrowser(options.debuggingPort)
  try {
    return await measure({
      sandbox,
      browser,
      url: app.url,
      peerUrl: peer.url,
      signedIn: async () => {
        const context = await browser.newContext({ locale: "en-AU", viewport })
        const headers = { "X-Laurel": "1" }
        const response = await context.request.post(`${app.url}/api/session`, { headers, data: admin })
        if (!response.ok()) throw new Error(await response.text())
        return context
      },
    })
  } finally {
    await browser.close()
    await peer.stop()
    await app.stop()
    await served.close()
  }
}

async function openBrowser(debuggingPort?: number): Promise<Browser> {
  const executablePath = await findBrowser()
  return chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      ...(debuggingPort === undefined ? [] : [`--remote-debugging-port=${debuggingPort}`]),
    ],
  })
}
