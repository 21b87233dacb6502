/**
 * Opens the app offline (docs/decisions/0015-offline.md): precaches the built files, and the page without a session.
 * It never handles requests below `/api`.
 */
import { addPlugins, matchPrecache, type PrecacheEntry, precacheAndRoute } from "workbox-precaching"
import { NavigationRoute, registerRoute } from "workbox-routing"

interface ActivateEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}

// The DOM types used here lack the worker's.
declare const self: typeof globalThis & {
  readonly __WB_MANIFEST: readonly PrecacheEntry[]
  readonly registration: ServiceWorkerRegistration
  addEventListener(type: "activate", listener: (event: ActivateEvent) => void): void
}

const shell = "/shell.html"

const manifest = [...self.__WB_MANIFEST]
const files = new Set(manifest.map(({ url }) => url))

// During an update another instance may send the page of another version. Then nothing is replaced.
addPlugins([
  {
    fetchDidSucceed: async ({ request, response }) => {
      if (new URL(request.url).pathname !== shell) return response
      const named = (await response.clone().text()).match(/\/assets\/[\w.-]+/g) ?? []
      if (!named.every((file) => files.has(file))) throw new Error("The page is of another version.")
      return response
    },
  },
])
precacheAndRoute(manifest, { directoryIndex: "" })
registerRoute(
  new NavigationRoute(
    async ({ request }) => {
      try {
        return await fetch(request)
      } catch {
        return (await matchPrecache(shell)) ?? Response.error()
      }
    },
    { denylist: [/^\/api\//] },
  ),
)

// Earlier versions of this worker used another cache and navigation preloads.
self.addEventListener("activate", (event) =>
  event.waitUntil(Promise.all([self.registration.navigationPreload.disable(), caches.delete("laurel")])),
)
