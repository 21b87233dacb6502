import { QueryClientProvider, type QueryClient } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode, useEffect } from "react"
import { addTypeface } from "./lib/typeface.ts"
import type { AppRouter } from "./router.tsx"

/** The whole app: providers only. Mantine's stands in the shell. */
export function App({ queryClient, router }: { queryClient: QueryClient; router: AppRouter }) {
  useEffect(typefaceAfterPaint, [])
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>
  )
}

/** After what was rendered is painted. */
function typefaceAfterPaint(): void {
  requestAnimationFrame(() => setTimeout(addTypeface))
}
