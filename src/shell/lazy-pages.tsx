import type { ErrorComponentProps } from "@tanstack/react-router"
import { lazy, Suspense } from "react"

// Rarely needed, so fetched when they are. Without a network they cannot be: then these words are all there is.
const Page = lazy(async () => {
  const loaded = await import("./message-pages.tsx").catch(() => undefined)
  return { default: loaded?.ErrorPage ?? Unreachable }
})
const NotFound = lazy(async () => {
  const loaded = await import("./message-pages.tsx").catch(() => undefined)
  return { default: loaded?.NotFoundPage ?? Unreachable }
})

function Unreachable() {
  return <p role="alert">The page couldn’t be loaded. Check your connection and reload.</p>
}

/** `ErrorPage`, fetched when a page fails. */
export function LazyErrorPage(props: ErrorComponentProps) {
  return (
    <Suspense>
      <Page {...props} />
    </Suspense>
  )
}

/** `NotFoundPage`, fetched for an address that leads nowhere. */
export function LazyNotFoundPage() {
  return (
    <Suspense>
      <NotFound />
    </Suspense>
  )
}
