import { createStore, useStore } from "zustand"
import { type ComponentType, lazy } from "react"

/** Whether the service worker has cached every file of the app. */
const isCached = async () => (await caches.match("/shell.html", { ignoreSearch: true })) !== undefined

/** A component loaded on demand. If loading fails, `Missing` is shown until there is a connection. */
export function fetchedPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Missing: ComponentType<P> = () => null,
): ComponentType<P> {
  const attempt = () =>
    lazy(async () => {
      try {
        // Chromium never requests a failed module again.
        if (!navigator.onLine && !(await isCached())) throw new Error("No connection")
        return { default: await load() }
      } catch {
        addEventListener("online", () => part.setState(attempt(), true), { once: true })
        return { default: Missing }
      }
    })
  const part = createStore(() => attempt())
  return function FetchedPart(props: P) {
    const Part = useStore(part)
    return <Part {...props} />
  }
}
