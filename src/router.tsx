import type { QueryClient } from "@tanstack/react-query"
import { createRouter, type RouterHistory } from "@tanstack/react-router"
import { appRoot } from "./lib/app-root.ts"
import { afterPaint } from "./lib/after-paint.ts"
import { firstPage } from "./lib/first-responses.ts"
import { routeTree } from "./route-tree.gen.ts"
import { LazyErrorPage, LazyNotFoundPage } from "./shell/lazy-pages.tsx"

/** The app's router. Tests give it a history in memory. */
export function makeRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    basepath: appRoot,
    context: { queryClient },
    ...(history === undefined ? {} : { history }),
    // The query cache decides what is fresh; hovering a link never spends a request of the shared budget.
    defaultPreload: false,
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 150,
    defaultErrorComponent: LazyErrorPage,
    defaultNotFoundComponent: LazyNotFoundPage,
    // A new visit begins at the top anyway: to scroll there lays the page out in the midst of its first rendering.
    scrollRestoration: () => firstPage.drawn || !isNewVisit(),
    // A new page, and another page of a list, begin at their top; going back finds the place again.
    scrollToTopSelectors: ["#content", "[data-scroll-restoration-id^=list-]"],
  })
}

function isNewVisit(): boolean {
  const [arrival] = performance.getEntriesByType("navigation")
  return arrival !== undefined && "type" in arrival && arrival.type === "navigate"
}

export type AppRouter = ReturnType<typeof makeRouter>

/**
 * Lets every navigation paint before its page is loaded: to render one takes longer than a frame. What leads there says
 * so at once (`data-pressed`), until the page stands.
 */
export function paintFirst(router: AppRouter): void {
  const { history } = router
  const { subscribe } = history
  history.subscribe = (load) =>
    subscribe((event) => {
      // Whoever navigates again before the paint goes on from there.
      router.updateLatestLocation()
      release()
      document.activeElement?.setAttribute(pressed, "")
      afterPaint(() => load(event))
    })
  router.subscribe("onRendered", release)
}

function release(): void {
  for (const element of document.querySelectorAll(`[${pressed}]`)) element.removeAttribute(pressed)
}

const pressed = "data-pressed"
declare module "@tanstack/react-router" {
  interface Register {
    router: AppRouter
  }
}
