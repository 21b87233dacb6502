import initSqlJs from "sql.js"
import sqliteFile from "sql.js/dist/sql-wasm-browser.wasm?url"
import { version } from "../../package.json"
import { handleApiRequest } from "./api-handler.ts"
import { appRoot } from "../lib/app-root.ts"
import { createDemoControls } from "./demo-controls.ts"
import { demoLog } from "./demo-store.ts"
import { type DemoWorld, openDemoWorld } from "./demo-world.ts"
import { createSaver, stateFile } from "./saved-state.ts"
import { readStreamsHere, startWorker, windowProblem } from "./service-worker.ts"
import { showStopPage } from "./stop-page.tsx"

const reload = () => window.location.reload()

/**
 * Resolves when the page can send its first request. If the demo cannot run, an error page is shown and it never
 * resolves.
 */
export async function startDemo(): Promise<void> {
  try {
    if (await start()) return
  } catch (error) {
    demoLog.error({ err: error }, "The demo did not start.")
    showStopPage("failed", reload, () => void forgetEverything())
  }
  await new Promise(() => {})
}

async function start(): Promise<boolean> {
  showRequestedPage()
  const lacking = windowProblem()
  if (lacking !== undefined) {
    showStopPage(lacking, reload)
    return false
  }
  let starting: ReturnType<typeof runDemo> | undefined
  let isLost = false
  let stopWaiting: (() => void) | undefined
  await claimDemo({
    onWaiting: (takeOver) => {
      stopWaiting = showStopPage("elsewhere", takeOver)
    },
    onHandOver: async () => {
      const demo = await starting
      if (typeof demo === "object") await demo.save()
    },
    onLost: () => {
      // It may be taken by another tab during the handover.
      if (isLost) return
      isLost = true
      void starting?.then((demo) => typeof demo === "object" && demo.stop())
      showStopPage("moved", reload)
    },
  })
  stopWaiting?.()
  starting = runDemo()
  const demo = await starting
  if (typeof demo === "string" && !isLost) showStopPage(demo, reload)
  return typeof demo === "object" && !isLost
}

/** Opens the saved state, starts the worker and shows the panel; or returns why the worker does not run. */
async function runDemo() {
  const [sqlite, saved] = await Promise.all([initSqlJs({ locateFile: () => sqliteFile }), stateFile.read()])
  const { world, discarded } = await openDemoWorld({ version, sqlite, saved })
  const saver = createSaver(async () => {
    if (!(await stateFile.write(await world.snapshot()))) controls.note("not-saved")
  })
  const controls = await createDemoControls(world, discarded ? "discarded" : null, saver.now, async () => {
    saver.stop()
    await forgetEverything()
  })
  const respond = async (request: Request) => {
    const response = await handleApiRequest(world, request)
    // Changes are saved before their response, so that "Saved" is true after a reload.
    if (request.method === "GET") saver.soon()
    else await saver.now()
    return response
  }
  readStreamsHere(respond)
  const problem = await startWorker(respond)
  if (problem !== undefined) return problem
  world.core.start()
  // Changes made by jobs are saved too.
  world.events.subscribe(({ topic }) => topic !== "budget" && saver.soon())
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") void saver.now()
  })
  await writeSession(world)
  void import("./demo-panel.tsx").then(({ mountPanel }) => mountPanel(controls))
  return {
    save: saver.now,
    stop() {
      saver.stop()
      void world.core.stop()
    },
  }
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

const lockName = "laurel-demo"
/** Delay before a tab shows that another one runs the demo, in ms: a reload takes a moment. */
const quietMs = 1200
/** Time for the other tab to save and hand over before the demo is taken from it, in ms. */
const handOverMs = 3000
const handOver = "hand over"
/** `sessionStorage` key, set between two pages of a tab that runs the demo. */
const hadDemo = "laurel-demo-had"

/**
 * Makes this tab the owner of the demo's state, and resolves then. One tab at a time (a Web Lock), because two would
 * overwrite each other. A waiting tab continues when the other is closed; one that was only reloaded or reset gets the
 * demo back.
 */
async function claimDemo(options: {
  /** Another tab runs the demo; `takeOver` requests a handover. Called once. */
  readonly onWaiting: (takeOver: () => void) => void
  /** Another tab requests the demo: save everything before the handover. */
  readonly onHandOver: () => Promise<void>
  /** Another tab runs the demo now: this one must no longer change or save anything. */
  readonly onLost: () => void
}): Promise<void> {
  const channel = new BroadcastChannel(lockName)
  const waiting = new AbortController()
  const leave = () => sessionStorage.setItem(hadDemo, "yes")
  const onLost = () => {
    window.removeEventListener("pagehide", leave)
    options.onLost()
  }
  const queued = hold({ signal: waiting.signal }, onLost)
  const takeOver = () => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target origin
    channel.postMessage(handOver)
    setTimeout(() => waiting.abort(), handOverMs)
  }
  const had = sessionStorage.getItem(hadDemo) !== null
  sessionStorage.removeItem(hadDemo)
  if (had) takeOver()
  const patience = setTimeout(() => options.onWaiting(takeOver), quietMs + (had ? handOverMs : 0))
  // A tab that does not hand over is suspended or stuck: the lock is stolen, and the tab is notified when it resumes.
  const release = await queued.catch(() => hold({ steal: true }, onLost))
  clearTimeout(patience)
  window.addEventListener("pagehide", leave)
  channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (data !== handOver) return
    channel.close()
    void options.onHandOver().finally(() => {
      release()
      onLost()
    })
  })
}

/** Resolves when the lock is held, with the function that releases it. */
function hold(lock: LockOptions, onStolen: () => void): Promise<() => void> {
  return new Promise((resolve, reject) => {
    let isHeld = false
    navigator.locks
      .request(lockName, lock, () => {
        isHeld = true
        return new Promise<void>((release) => resolve(release))
      })
      .catch((error: unknown) => {
        if (isHeld) onStolen()
        else reject(error instanceof Error ? error : new Error("The lock was not given."))
      })
  })
}
