import { setupWorker } from "msw/browser"
import { http } from "msw/http"
import { appRoot } from "../lib/app-root.ts"

export type WindowProblem = "insecure" | "unsupported"
export type WorkerProblem = "blocked" | "bypassed"

/** How long the worker may take to be installed and to take the page over, in ms. */
const startWithinMs = 15_000
const controlWithinMs = 3000
/** Set while a page loads again to get its worker back, so that it does so once. */
const reloadedKey = "laurel-demo-reloaded"

/** What this window lacks for a service worker; undefined when it has everything. */
export function windowProblem(): WindowProblem | undefined {
  if (!window.isSecureContext) return "insecure"
  return "serviceWorker" in navigator ? undefined : "unsupported"
}

/**
 * Puts the service worker between the page and the network: `respond` handles every request below `/api` in this tab;
 * everything else passes. Resolves with the reason when it cannot, and never when the page loads again.
 */
export async function startWorker(
  respond: (request: Request) => Promise<Response>,
): Promise<WorkerProblem | undefined> {
  const { serviceWorker } = navigator
  const isControlled = () => serviceWorker.controller !== null
  const url = `${appRoot}mockServiceWorker.js`
  // A hard reload (Shift) leaves a page without the worker that is installed for it.
  const installed = await serviceWorker.getRegistration(appRoot).catch(() => undefined)
  if (!isControlled() && installed !== undefined) return reloadOnce("bypassed")
  const worker = setupWorker(http.all(`${appRoot}api/*`, ({ request }) => respond(request)))
  try {
    // The worker takes itself away when the last page leaves, and a reload can overtake that: it is put back first,
    // since an update of a worker that is gone is refused where nothing can catch it.
    if (isControlled()) await serviceWorker.register(url)
    const started = worker.start({ quiet: true, onUnhandledFrame: "bypass", serviceWorker: { url } })
    // It may wait for a worker that was just taken away; the next page finds none and installs its own.
    if (!(await within(startWithinMs, started))) return reloadOnce("blocked")
  } catch {
    return "blocked"
  }
  if (!isControlled()) {
    const { promise, resolve } = Promise.withResolvers<void>()
    serviceWorker.addEventListener("controllerchange", () => resolve(), { once: true })
    await within(controlWithinMs, promise)
  }
  if (!isControlled()) return reloadOnce("bypassed")
  sessionStorage.removeItem(reloadedKey)
  return undefined
}

/** Loads the page again, or resolves with the problem where that was done already. */
function reloadOnce(problem: WorkerProblem): Promise<WorkerProblem> {
  if (sessionStorage.getItem(reloadedKey) !== null) {
    sessionStorage.removeItem(reloadedKey)
    return Promise.resolve(problem)
  }
  sessionStorage.setItem(reloadedKey, "1")
  window.location.reload()
  return new Promise(() => {})
}

/** Whether the work was done in time. */
function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(false), ms)
    void work.then(() => resolve(true), reject).finally(() => clearTimeout(timer))
  })
}
