import { type ComponentType, lazy, Suspense } from "react"
import type * as MessagePages from "./message-pages.tsx"

/** `ErrorPage`, fetched when a page fails. */
export const LazyErrorPage = fetchedPage((pages) => pages.ErrorPage)

/** `NotFoundPage`, fetched for an address that leads nowhere. */
export const LazyNotFoundPage = fetchedPage((pages) => pages.NotFoundPage)

/** Rarely needed, so fetched when it is. Without a network it cannot be: then these words are all there is. */
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

function Unreachable() {
  return <p role="alert">The page couldn’t be loaded. Check your connection and reload.</p>
}
