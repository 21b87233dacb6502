import { demoLog } from "./demo-log.ts"
import { forgetEverything } from "./forget-everything.ts"
import { runDemo, type RunningDemo } from "./run-demo.ts"
import { openStateFile, type StateFile } from "./state/state-file.ts"
import { claimDemo } from "./worker/ownership.ts"
import { showStopPage } from "./worker/show-stop-page.tsx"
import { windowProblem } from "./worker/start-worker.ts"

const reload = () => window.location.reload()

/**
 * Starts the demo: both services and the desk's server in this tab, behind a service worker. Resolves when the desk
 * can ask its first question. Where the demo cannot run, a page says why and the promise stays open: the desk would
 * have nobody to ask.
 */
export async function startDemo(): Promise<void> {
  const file = openStateFile()
  try {
    if (await start(file)) return
  } catch (error) {
    demoLog.error({ err: error }, "The demo did not start.")
    showStopPage("failed", { onAction: reload, onReset: () => void forgetEverything(file) })
  }
  await new Promise(() => {})
}

/** False: a page says why the demo does not run. */
async function start(file: StateFile): Promise<boolean> {
  const lacking = windowProblem()
  if (lacking !== undefined) {
    showStopPage(lacking)
    return false
  }
  let running: RunningDemo | undefined
  let stopWaiting: (() => void) | undefined
  await claimDemo({
    onWaiting: (takeOver) => {
      stopWaiting = showStopPage("elsewhere", { onAction: takeOver })
    },
    onHandOver: async () => running?.save(),
    onLost: () => {
      running?.stop()
      showStopPage("moved", { onAction: reload })
    },
  })
  stopWaiting?.()
  const demo = await runDemo(file)
  if (typeof demo === "string") {
    showStopPage(demo, { onAction: reload })
    return false
  }
  running = demo
  return true
}
