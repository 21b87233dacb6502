import type { QueryClient } from "@tanstack/react-query"
import { createRootRouteWithContext } from "@tanstack/react-router"
import { LazyDamagedLinkPage } from "../shell/lazy-pages.tsx"
import { RootLayout } from "../shell/root-layout.tsx"

/** Context of every route's loader. */
export interface RouterContext {
  readonly queryClient: QueryClient
}

export const Route = createRootRouteWithContext<RouterContext>()({
  component: RootLayout,
  // Every readable URL matches `/_app/$`, so only an unreadable one ends here.
  notFoundComponent: LazyDamagedLinkPage,
})
