import type { QueryClient } from "@tanstack/react-query"
import { createRootRouteWithContext } from "@tanstack/react-router"
import { LazyDamagedLinkPage } from "../shell/lazy-pages.tsx"
import { RootLayout } from "../shell/root-layout.tsx"

/** What every route's loader can use. */
export interface RouterContext {
  readonly queryClient: QueryClient
}

export const Route = createRootRouteWithContext<RouterContext>()({
  component: RootLayout,
  // Every readable address has a route (`/_app/$`), so only an unreadable one ends here.
  notFoundComponent: LazyDamagedLinkPage,
})
