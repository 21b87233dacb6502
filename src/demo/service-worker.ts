import { http } from "msw/http"
import { setupWorker } from "msw/browser"

/** Why a window can never run the demo. */
export type WindowProblem = "insecure" | "unsupported"
/** Why the service worker does not stand between this page and the network. */
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
 * Puts the service worker between the page and the network: every request below `/api` is answered by `answer`, in
 * this tab; everything else passes. Resolves with the reason when it cannot, and never when the page loads again.
 */
export async function startWorker(
  answer: (request: Request) => Promise<Response>,
): Promise<WorkerProblem | undefined> {
  if (await wasHardReloaded()) return reloadOnce()
  const worker = setupWorker(http.all("*/api/*", ({ request }) => answer(request)))
  const url = `${import.meta.env.BASE_URL}mockServiceWorker.js`
  try {
    await within(
      startWithinMs,
      worker.start({ quiet: true, onUnhandledFrame: "bypass", serviceWorker: { url } }),
    )
  } catch {
    return "blocked"
  }
  if (!(await isControlled())) return reloadOnce()
  sessionStorage.removeItem(reloadedKey)
  return undefined
}

/** A hard reload (Shift) leaves a page without the worker that is installed for it. */
async function wasHardReloaded(): Promise<boolean> {
  if (navigator.serviceWorker.controller !== null) return false
  try {
    return (await navigator.serviceWorker.getRegistration(import.meta.env.BASE_URL)) !== undefined
  } catch {
    return false
  }
}

async function isControlled(): Promise<boolean> {
  if (navigator.serviceWorker.controller !== null) return true
  const taken = new Promise<void>((resolve) => {
    navigator.serviceWorker.addEventListener("controllerchange", () => resolve(), { once: true })
  })
  await within(controlWithinMs, taken).catch(() => undefined)
  return navigator.serviceWorker.controller !== null
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
