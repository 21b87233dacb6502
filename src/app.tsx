import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode, useState } from "react"
import { makeQueryClient } from "./api/request.ts"
import { makeRouter } from "./router.tsx"

/** The whole app: providers only. Mantine's stands in the shell. */
export function App() {
  const [queryClient] = useState(makeQueryClient)
  const [router] = useState(() => makeRouter(queryClient))
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>
  )
}
