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

/** Resolves when the page can send its first request; where the demo cannot run, a page shows why and nothing resolves. */
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
  showAskedPage()
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
      // It may be taken while it is being handed over.
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

/** Opens what was kept, starts the worker and shows the panel; or returns why the worker does not run. */
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
    // A change is kept before its response: whoever reads "Saved" finds it after a reload.
    if (request.method === "GET") saver.soon()
    else await saver.now()
    return response
  }
  readStreamsHere(respond)
  const problem = await startWorker(respond)
  if (problem !== undefined) return problem
  world.core.start()
  // What jobs do by themselves is kept, too.
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

/** Shows the address that was asked for: the host's page for unknown ones (scripts/build.ts) leads here with its path as `#/…`. */
function showAskedPage(): void {
  const asked = /^#\/+(.*)$/.exec(window.location.hash)?.[1]
  // What the page names by a relative address stays where it is.
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]")
  icon?.setAttribute("href", icon.href)
  if (asked !== undefined) window.history.replaceState(window.history.state, "", appRoot + asked)
}

/** Writes the session into the page as the server does (bff/http/page.ts). */
async function writeSession(world: DemoWorld): Promise<void> {
  const response = await handleApiRequest(world, new Request(`${appRoot}api/session`))
  const block = document.createElement("script")
  block.type = "application/json"
  block.id = "session"
  const { data = null }: { data?: unknown } = await response.json()
  block.textContent = JSON.stringify(data)
  document.body.append(block)
}

/** Forgets all that this browser keeps of the demo and begins again at the first page. */
async function forgetEverything(): Promise<void> {
  await stateFile.remove()
  for (const storage of [localStorage, sessionStorage]) {
    for (const key of Object.keys(storage)) if (key.startsWith("laurel")) storage.removeItem(key)
  }
  window.location.assign(appRoot)
}

const lockName = "laurel-demo"
/** How long a tab waits quietly before it shows that another one has the demo: a reload takes a moment, in ms. */
const quietMs = 1200
/** How long the other tab may take to save and hand over before the demo is taken from it, in ms. */
const handOverMs = 3000
const handOver = "hand over"
/** In `sessionStorage` between the page of a tab that had the demo and its next one. */
const hadDemo = "laurel-demo-had"

/**
 * Makes this tab the one that owns the demo's state, and resolves then. One tab at a time (a Web Lock): two would
 * overwrite each other. A waiting tab goes on by itself when the other is closed; one that was only reloaded or reset
 * gets the demo back.
 */
async function claimDemo(options: {
  /** Another tab has the demo; `takeOver` makes it hand over. Called once. */
  readonly onWaiting: (takeOver: () => void) => void
  /** Another tab wants the demo: save everything before it is handed over. */
  readonly onHandOver: () => Promise<void>
  /** The demo is in another tab now: this one must not change or save anything any more. */
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
  // A tab that does not hand over is asleep or stuck: the demo is taken from it, and it learns so when it wakes up.
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

/** Resolves, once the lock is held, with what gives it back. */
function hold(lock: LockOptions, onStolen: () => void): Promise<() => void> {
  return new Promise((resolve, reject) => {
    let held = false
    navigator.locks
      .request(lockName, lock, () => {
        held = true
        return new Promise<void>((release) => resolve(release))
      })
      .catch((error: unknown) => {
        if (held) onStolen()
        else reject(error instanceof Error ? error : new Error("The lock was not given."))
      })
  })
}
