import initSqlJs from "sql.js"
import sqliteFile from "sql.js/dist/sql-wasm-browser.wasm?url"
import { version } from "../../package.json"
import { appRoot } from "../lib/app-root.ts"
import { createDemoControls, eventSourceOf, handleApiRequest } from "./api-handler.ts"
import { createSaver, demoLog, stateFile } from "./demo-store.ts"
import { type DemoWorld, openDemoWorld } from "./demo-world.ts"
import { canStore, startWorker } from "./service-worker.ts"
import { showStopPage } from "./stop-page.tsx"

/** Resolves when the page can send its first request. If the demo cannot run, a page says why and it never resolves. */
export async function startDemo(): Promise<void> {
  try {
    showRequestedPage()
    if (canStore() && (await claimDemo().then(runDemo))) return
    showStopPage("blocked")
  } catch (error) {
    demoLog.error({ err: error }, "The demo did not start.")
    showStopPage("failed", () => void forgetEverything())
  }
  await new Promise(() => {})
}

/** Opens the saved state, starts the worker and shows the panel; false if the worker does not run. */
async function runDemo(): Promise<boolean> {
  const [sqlite, saved] = await Promise.all([initSqlJs({ locateFile: () => sqliteFile }), stateFile.read()])
  const world = await openDemoWorld({ version, sqlite, saved })
  const saver = createSaver(async () => {
    if (!(await stateFile.write(await world.snapshot()))) controls.view.setState({ isUnsaved: true })
  })
  const controls = await createDemoControls(world, saver.now, async () => {
    saver.stop()
    await forgetEverything()
  })
  Object.defineProperty(window, "EventSource", { configurable: true, value: eventSourceOf(world) })
  const isRunning = await startWorker(async (request) => {
    const response = await handleApiRequest(world, request)
    // Changes are saved before their response, so that "Saved" is true after a reload.
    if (request.method === "GET") saver.soon()
    else await Promise.all([saver.now(), controls.refresh()])
    return response
  })
  if (!isRunning) return false
  await world.core.claim()
  world.core.start()
  // Changes made by jobs are saved too.
  world.events.subscribe(({ topic }) => !["budget", "copy"].includes(topic) && saver.soon())
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") void saver.now()
  })
  await writeSession(world)
  void import("./demo-panel.tsx").then(({ mountPanel }) => mountPanel(controls))
  return true
}

/**
 * Shows the requested URL: the host's page for unknown ones (scripts/build.ts) redirects here with its path as `#/…`.
 */
function showRequestedPage(): void {
  const requested = /^#\/+(.*)$/.exec(window.location.hash)?.[1]
  // Relative URLs in the page must still resolve.
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]")
  icon?.setAttribute("href", icon.href)
  if (requested !== undefined) window.history.replaceState(window.history.state, "", appRoot + requested)
}

/** Writes the session into the page like the server (bff/http/page.ts). */
async function writeSession(world: DemoWorld): Promise<void> {
  const response = await handleApiRequest(world, new Request(`${appRoot}api/session`))
  const block = document.createElement("script")
  block.type = "application/json"
  block.id = "session"
  const { data = null }: { data?: unknown } = await response.json()
  block.textContent = JSON.stringify(data)
  document.body.append(block)
}

/** Deletes everything the demo stored in this browser and restarts at the first page. */
async function forgetEverything(): Promise<void> {
  await stateFile.remove()
  for (const storage of [localStorage, sessionStorage]) {
    for (const key of Object.keys(storage)) if (key.startsWith("laurel")) storage.removeItem(key)
  }
  window.location.assign(appRoot)
}

/** Delay before a tab shows that another one runs the demo, in ms: a reload takes a moment. */
const quietMs = 1200

/**
 * Resolves when this tab owns the demo. One tab at a time, because two would overwrite each other's state; a waiting tab
 * is next when the owner closes or reloads. The browser releases the lock with its page.
 */
async function claimDemo(): Promise<void> {
  const { promise: claimed, resolve } = Promise.withResolvers<void>()
  let removePage: (() => void) | undefined
  const patience = setTimeout(() => (removePage = showStopPage("elsewhere")), quietMs)
  void navigator.locks.request("laurel-demo", () => {
    resolve()
    return new Promise(() => {})
  })
  await claimed
  clearTimeout(patience)
  removePage?.()
}
