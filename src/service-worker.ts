/**
 * Opens the app offline (docs/decisions/0015-offline.md): caches the built files, and the page without personal data.
 * It never handles requests below `/api`. `vite.config.ts` builds it into `sw.js` with the list of files.
 */
declare const __BUILT_FILES__: readonly string[]
declare const registration: ServiceWorkerRegistration

interface WorkerEvent extends Event {
  readonly request: Request
  readonly preloadResponse: Promise<Response | undefined>
  waitUntil(work: Promise<void>): void
  respondWith(response: Promise<Response>): void
}
// The DOM types used here lack worker events.
const on = (type: string, handle: (event: WorkerEvent) => void) =>
  addEventListener(type, handle as (event: Event) => void)

const shell = "/shell.html"
const files = new Set(__BUILT_FILES__)

on("install", (event) => event.waitUntil(cacheFiles()))
on("activate", (event) => event.waitUntil(deleteOldCaches()))
on("fetch", (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin || request.method !== "GET" || pathname.startsWith("/api/")) return
  if (request.mode === "navigate") event.respondWith(pageFor(event))
  else if (pathname.startsWith("/assets/")) event.respondWith(builtFile(request))
})

const openCache = () => caches.open("laurel")

/**
 * Caches the files of this version in addition to those of the previous one, which open tabs still need; the page last,
 * when all are cached.
 */
async function cacheFiles(): Promise<void> {
  const cache = await openCache()
  // Sequentially, because requests of pages have priority.
  for (const file of files) if ((await cache.match(file)) === undefined) await cache.add(file)
  const page = await fetch(shell, { cache: "no-store" })
  const named = (await page.clone().text()).match(/\/assets\/[\w.-]+/g) ?? []
  // During an update another instance may serve another version.
  if (!page.ok || !named.every((file) => files.has(file))) throw new Error("The page is of another version.")
  await cache.put(shell, page)
}

/** Runs once no tab of the previous version is open. */
async function deleteOldCaches(): Promise<void> {
  // Sends page requests while the worker starts.
  await registration.navigationPreload.enable()
  // A newer version is being cached; it deletes the others when it activates.
  if (registration.installing !== null) return
  const cache = await openCache()
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url)
    if (pathname !== shell && !files.has(pathname)) await cache.delete(url)
  }
}

async function pageFor({ request, preloadResponse }: WorkerEvent): Promise<Response> {
  try {
    return (await preloadResponse) ?? (await fetch(request))
  } catch {
    return (await caches.match(shell)) ?? Response.error()
  }
}

async function builtFile(request: Request): Promise<Response> {
  return (await caches.match(request.url, { ignoreVary: true })) ?? fetch(request)
}
