import "../theme.css"
import { type MantineColorSchemeManager, MantineProvider } from "@mantine/core"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { setNonce } from "get-nonce"
import { type ReactNode, Suspense, useEffect } from "react"
import * as z from "zod/mini"
import en from "zod/v4/locales/en.js"
import { followEvents } from "../api/events.ts"
import { sessionEnded } from "../api/request.ts"
import { sessionQuery, useSession } from "../api/session.ts"
import { colourScheme, setColourScheme } from "../lib/colour-scheme.ts"
import { pageNonce } from "../lib/nonce.ts"
import { theme } from "../theme.ts"
import { EnvBand } from "../ui/brand.tsx"
import { useExternalValue } from "../ui/hooks.ts"
import { fetchedPart } from "./lazy-pages.tsx"

const SignInAgain = fetchedPart(
  async () => (await import("../features/session/session-dialogs.tsx")).SignInAgain,
)

// Default messages of schema checks. Loaded behind the sign-in only; the pages before it need none.
z.config(en())

const colourSchemeManager: MantineColorSchemeManager = {
  get: () => colourScheme.get(),
  set: setColourScheme,
  subscribe: () => {},
  unsubscribe: () => {},
  clear: () => setColourScheme("auto"),
}

/**
 * Providers of every signed-in page: Mantine, the server's events, and the sign-in dialog when the session ends. The
 * pages before it work without Mantine, which halves their size.
 */
export function AppRoot({ children }: { children: ReactNode }) {
  const { user, environment } = useSession()
  const ended = useSessionEnded()
  const queryClient = useQueryClient()
  useEffect(() => followEvents(queryClient), [queryClient])
  const nonce = pageNonce()
  // The scroll lock writes a style element too.
  setNonce(nonce)
  return (
    <MantineProvider
      theme={theme}
      colorSchemeManager={colourSchemeManager}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
      // They are in mantine.css: writing 450 of them at run time took a sixth of the script time of a first view.
      withCssVariables={false}
      withGlobalClasses={false}
      // Tests do not wait for transitions.
      env={import.meta.env.MODE === "test" ? "test" : "default"}
    >
      <EnvBand environment={environment} />
      {children}
      <Suspense>{ended && <SignInAgain user={user} />}</Suspense>
    </MantineProvider>
  )
}

/** Whether the session ended: a request was refused, or the server reported it (signed out elsewhere, disabled). */
export function useSessionEnded(): boolean {
  const { data } = useQuery(sessionQuery)
  const met = useExternalValue(sessionEnded)
  return met || data === null
}
