import type { QueryClient } from "@tanstack/react-query"
import { createRouter, type RouterHistory } from "@tanstack/react-router"
import { appRoot } from "./lib/app-root.ts"
import { routeTree } from "./route-tree.gen.ts"
import { UiProvider } from "./shell/root-layout.tsx"
import { LazyErrorPage, LazyNotFoundPage } from "./shell/lazy-pages.tsx"

/** The app's router. Tests pass an in-memory history. */
export function makeRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    basepath: appRoot,
    context: { queryClient },
    ...(history === undefined ? {} : { history }),
    // The query cache decides what is fresh; hovering a link must not spend a request of the shared budget.
    defaultPreload: false,
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 150,
    Wrap: UiProvider,
    defaultErrorComponent: LazyErrorPage,
    defaultNotFoundComponent: LazyNotFoundPage,
    scrollRestoration: true,
    // A new page starts at its top, also of a list; going back restores the position.
    scrollToTopSelectors: ["#content", "[data-scroll-restoration-id^=list-]"],
  })
}

export type AppRouter = ReturnType<typeof makeRouter>

declare module "@tanstack/react-router" {
  interface Register {
    router: AppRouter
  }
}
