import { useQuery, useQueryClient } from "@tanstack/react-query"
import { type ReactNode, Suspense, useEffect } from "react"
import * as z from "zod/mini"
import en from "zod/v4/locales/en.js"
import { followEvents } from "../api/events.ts"
import { useSessionStatus } from "../api/request.ts"
import { sessionQuery, useSession } from "../api/session.ts"
import { EnvBand } from "../ui/brand.tsx"
import { fetchedPart } from "../ui/fetched-part.tsx"

const SignInAgain = fetchedPart(
  async () => (await import("../features/session/session-dialogs.tsx")).SignInAgain,
)

// Default messages of schema checks. Loaded behind the sign-in only; the pages before it need none.
z.config(en())

/** What every signed-in page has: the server's events, and the sign-in dialog when the session ends. */
export function AppRoot({ children }: { children: ReactNode }) {
  const { user, environment } = useSession()
  const ended = useSessionEnded()
  const queryClient = useQueryClient()
  useEffect(() => followEvents(queryClient), [queryClient])
  return (
    <>
      <EnvBand environment={environment} />
      {children}
      <Suspense>{ended && <SignInAgain user={user} />}</Suspense>
    </>
  )
}

/** Whether the session ended: a request was refused, or the server reported it (signed out elsewhere, disabled). */
export function useSessionEnded(): boolean {
  const { data } = useQuery(sessionQuery)
  const met = useSessionStatus((state) => state.hasEnded)
  return met || data === null
}
