import { setupWorker } from "msw/browser"
import { http } from "msw/http"
import { appRoot } from "../lib/app-root.ts"

export type WindowProblem = "insecure" | "unsupported"
export type WorkerProblem = "blocked" | "bypassed"

/** How long the worker may take to be installed and to take the page over, in ms. */
const startWithinMs = 10_000
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
  if (!isControlled() && installed !== undefined) return reloadOnce()
  const worker = setupWorker(http.all(`${appRoot}api/*`, ({ request }) => respond(request)))
  try {
    // The worker takes itself away when the last page leaves, and a reload can overtake that: it is put back first,
    // since an update of a worker that is gone is refused where nothing can catch it.
    if (isControlled()) await serviceWorker.register(url)
    const started = worker.start({ quiet: true, onUnhandledFrame: "bypass", serviceWorker: { url } })
    await within(startWithinMs, started)
  } catch {
    return "blocked"
  }
  if (!isControlled()) {
    const { promise, resolve } = Promise.withResolvers<void>()
    serviceWorker.addEventListener("controllerchange", () => resolve(), { once: true })
    await within(controlWithinMs, promise).catch(() => undefined)
  }
  if (!isControlled()) return reloadOnce()
  sessionStorage.removeItem(reloadedKey)
  return undefined
}

function reloadOnce(): Promise<WorkerProblem> {
  if (sessionStorage.getItem(reloadedKey) !== null) {
    sessionStorage.removeItem(reloadedKey)
    return Promise.resolve("bypassed")
  }
  sessionStorage.setItem(reloadedKey, "1")
  window.location.reload()
  return new Promise(() => {})
}

function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Nothing within ${ms} ms.`)), ms)
    void work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
