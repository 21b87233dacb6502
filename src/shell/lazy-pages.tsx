import { type ComponentType, lazy, Suspense, useEffect } from "react"
import { Button } from "../ui/button.tsx"
import { Notice } from "../ui/notice.tsx"
import type * as MessagePages from "./message-pages.tsx"

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
