/**
 * Opens the app without a connection (docs/decisions/0015-offline.md): the built files, and the page without anybody's
 * data. It never touches what is below `/api`. `vite.config.ts` builds it into `sw.js` with the list of the files.
 */
declare const __BUILT_FILES__: readonly string[]
declare const registration: ServiceWorkerRegistration

interface WorkerEvent extends Event {
  readonly request: Request
  readonly preloadResponse: Promise<Response | undefined>
  waitUntil(work: Promise<void>): void
  respondWith(response: Promise<Response>): void
}
// The types of pages, among which this file is checked, know no events of workers.
const on = (type: string, handle: (event: WorkerEvent) => void) =>
  addEventListener(type, handle as (event: Event) => void)

const shell = "/shell.html"
const files = new Set(__BUILT_FILES__)

on("install", (event) => event.waitUntil(takeFiles()))
on("activate", (event) => event.waitUntil(dropOthers()))
on("fetch", (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin || request.method !== "GET" || pathname.startsWith("/api/")) return
  if (request.mode === "navigate") event.respondWith(pageFor(event))
  else if (pathname.startsWith("/assets/")) event.respondWith(builtFile(request))
})

const openCache = () => caches.open("laurel")

/** The files of this version beside those of the one before, which open tabs still need; its page last, when all are there. */
async function takeFiles(): Promise<void> {
  const cache = await openCache()
  // One after the other: what pages ask for comes first.
  for (const file of files) if ((await cache.match(file)) === undefined) await cache.add(file)
  const page = await fetch(shell, { cache: "no-store" })
  const named = (await page.clone().text()).match(/\/assets\/[\w.-]+/g) ?? []
  // While instances are replaced, another one may answer with another version.
  if (!page.ok || !named.every((file) => files.has(file))) throw new Error("The page is of another version.")
  await cache.put(shell, page)
}

/** Runs once no tab of the version before is open. */
async function dropOthers(): Promise<void> {
  // Pages are asked for while the worker starts.
  await registration.navigationPreload.enable()
  // A newer version is taking its files: it drops the others when it takes over.
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
