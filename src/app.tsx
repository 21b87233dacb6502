import { MantineProvider } from "@mantine/core"
import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode, useState } from "react"
import { makeQueryClient } from "./api/query-client.ts"
import { makeRouter } from "./router.tsx"
import { colourSchemeManager } from "./shell/preferences.ts"
import { cssVariablesResolver } from "./theme-variables.ts"
import { theme } from "./theme.ts"

/** The whole desk: providers only. */
export function App({ nonce }: { nonce: string }) {
  const [queryClient] = useState(makeQueryClient)
  const [router] = useState(() => makeRouter(queryClient))
  return (
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariablesResolver}
        colorSchemeManager={colourSchemeManager}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
        // Every variable is written here, so the sheet with Mantine's own defaults (4 KB) is not sent.
        deduplicateCssVariables={false}
      >
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  )
}
