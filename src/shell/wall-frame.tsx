import { useQuery, useQueryClient } from "@tanstack/react-query"
import { lazy, Suspense, useEffect, type ReactNode } from "react"
import { followEvents } from "../api/events.ts"
import { sessionQuery, useSession } from "../api/session.ts"
import { sessionEnded } from "../api/session-gate.ts"
import { EnvBand } from "../ui/brand.tsx"
import { useExternalValue } from "../ui/hooks.ts"
import { MantineRoot } from "./mantine-root.tsx"
import "./zod-locale.ts"

const SignInAgain = lazy(async () => ({
  default: (await import("../features/session/session-dialogs.tsx")).SignInAgain,
}))

/** What stands around a page that fills the screen: no navigation, but the desk's events and its way back in. */
export function WallFrame({ children }: { children: ReactNode }) {
  const { user, environment } = useSession()
  const queryClient = useQueryClient()
  const met = useExternalValue(sessionEnded)
  const { data } = useQuery(sessionQuery)
  useEffect(() => followEvents(queryClient), [queryClient])
  return (
    <MantineRoot>
      <EnvBand environment={environment} />
      {children}
      <Suspense>{(met || data === null) && <SignInAgain user={user} />}</Suspense>
    </MantineRoot>
  )
}
