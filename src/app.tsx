import { QueryClientProvider, type QueryClient } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode, useEffect } from "react"
import { firstPage } from "./lib/first-responses.ts"
import { addTypeface } from "./lib/typeface.ts"
import type { AppRouter } from "./router.tsx"

/** The whole app: providers only. Mantine's stands in the shell. */
export function App({ queryClient, router }: { queryClient: QueryClient; router: AppRouter }) {
  useEffect(pageDrawn, [])
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>
  )
}

/** The typeface comes a moment after what was rendered is painted: the browser measures every text again for it. */
function pageDrawn(): void {
  firstPage.drawn = true
  requestAnimationFrame(() => setTimeout(() => void addTypeface(), 250))
}
