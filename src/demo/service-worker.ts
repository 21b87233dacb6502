import { appRoot } from "../lib/app-root.ts"

/** Timeout for installing the worker and claiming the page, in ms. */
const startWithinMs = 15_000
const controlWithinMs = 3000
/** Set during a reload to get the worker back, so that it happens only once. */
const reloadedKey = "laurel-demo-reloaded"

/** Whether this window can have a service worker and storage. */
export function canStore(): boolean {
  try {
    // If cookies and site data are blocked, accessing either throws.
    void [localStorage, sessionStorage]
    return window.isSecureContext && "serviceWorker" in navigator
  } catch {
    return false
  }
}

/**
 * Puts the service worker between the page and the network: `respond` handles every request below `/api` in this tab;
 * everything else passes. Resolves with false if it is blocked, and never when the page loads again.
 */
export async function startWorker(respond: (request: Request) => Promise<Response>): Promise<boolean> {
  const { serviceWorker } = navigator
  const isControlled = () => serviceWorker.controller !== null
  const url = `${appRoot}mockServiceWorker.js`
  // A hard reload (Shift) loads a page without the installed worker.
  const installed = await serviceWorker.getRegistration(appRoot).catch(() => undefined)
  if (!isControlled() && installed !== undefined) {
    // A worker that is still being installed claims pages when it is ready.
    if (installed.active === null && !(await within(startWithinMs, serviceWorker.ready))) return false
    return reloadOnce()
  }
  try {
    // Imported late: it reads `localStorage` on import, which throws if that is blocked.
    const [{ setupWorker }, { http }] = await Promise.all([import("msw/browser"), import("msw/http")])
    const worker = setupWorker(http.all(`${appRoot}api/*`, ({ request }) => respond(request)))
    // The worker takes itself away when the last page leaves, and a reload can overtake that: it is put back first,
    // since an update of a worker that is gone is refused where nothing can catch it.
    if (isControlled() && !(await within(startWithinMs, serviceWorker.register(url)))) return reloadOnce()
    const started = worker.start({ quiet: true, onUnhandledFrame: "bypass", serviceWorker: { url } })
    // It may wait for a worker that was just unregistered; the reloaded page retries.
    if (!(await within(startWithinMs, started))) return reloadOnce()
  } catch {
    return false
  }
  if (!isControlled()) {
    const { promise, resolve } = Promise.withResolvers<void>()
    serviceWorker.addEventListener("controllerchange", () => resolve(), { once: true })
    await within(controlWithinMs, promise)
  }
  if (!isControlled()) return reloadOnce()
  sessionStorage.removeItem(reloadedKey)
  return true
}

/** Loads the page again; false if that was done already. */
async function reloadOnce(): Promise<false> {
  if (sessionStorage.getItem(reloadedKey) !== null) {
    sessionStorage.removeItem(reloadedKey)
    return false
  }
  sessionStorage.setItem(reloadedKey, "1")
  window.location.reload()
  return new Promise(() => {})
}

/** Whether the work finished in time. */
function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(false), ms)
    void work.then(() => resolve(true), reject).finally(() => clearTimeout(timer))
  })
}
