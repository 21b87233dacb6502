import { createStore, useStore } from "zustand"
import { type ComponentType, lazy, Suspense, useEffect } from "react"
import { Button } from "../ui/button.tsx"
import { Notice } from "../ui/notice.tsx"
import type * as MessagePages from "./message-pages.tsx"

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

/** Error text within an open panel. */
export function NotLoaded() {
  return (
    <Notice tone="warning" title="This can’t be opened without a connection">
      It opens once Laurel is reached again. If it doesn’t, reload the page.
    </Notice>
  )
}

/** Error text above the page, until the next key or click. */
export function NotOpened({ onClose }: { onClose: () => void }) {
  return (
    <div
      ref={(box) => box?.showPopover()}
      popover="auto"
      className="card"
      onToggle={({ newState }) => newState === "closed" && onClose()}
    >
      <NotLoaded />
    </div>
  )
}

/** `ErrorPage`, loaded when a page fails. */
export const LazyErrorPage = fetchedPage((pages) => pages.ErrorPage)

/** `NotFoundPage`, loaded for an unknown address. */
export const LazyNotFoundPage = fetchedPage((pages) => pages.NotFoundPage)

/** `DamagedLinkPage`, loaded for an address that cannot be decoded. */
export const LazyDamagedLinkPage = fetchedPage((pages) => pages.DamagedLinkPage)

/** Rarely needed, so loaded on demand. Without a network only this text is shown. */
function fetchedPage<P extends object>(choose: (pages: typeof MessagePages) => ComponentType<P>) {
  const Page = lazy(async () => {
    const pages = await import("./message-pages.tsx").catch(() => undefined)
    return { default: pages === undefined ? Unreachable : choose(pages) }
  })
  return (props: P) => (
    <Suspense>
      <Page {...props} />
    </Suspense>
  )
}

function reload(): void {
  window.location.reload()
}

function Unreachable() {
  useEffect(() => {
    addEventListener("online", reload)
    return () => removeEventListener("online", reload)
  }, [])
  return (
    <Notice
      tone="danger"
      title="The page couldn’t be loaded"
      action={
        <Button size="xs" onClick={reload}>
          Reload
        </Button>
      }
    >
      It is loaded again once there is a connection.
    </Notice>
  )
}
