import { createFileRoute, redirect } from "@tanstack/react-router"
import * as z from "zod/mini"
import { aboutQuery, sessionQuery } from "../api/session.ts"
import { safePath } from "../features/session/safe-path.ts"
import { SignInPage } from "../features/session/sign-in-page.tsx"

export const Route = createFileRoute("/sign-in")({
  validateSearch: z.object({ redirect: z.catch(z.optional(z.string()), undefined) }),
  beforeLoad: async ({ context: { queryClient }, search }) => {
    // The page must stand even when the server does not answer; it says so itself.
    const [session] = await Promise.all([
      queryClient.ensureQueryData(sessionQuery).catch(() => null),
      queryClient.prefetchQuery(aboutQuery),
    ])
    if (session !== null) throw redirect({ href: safePath(search.redirect) })
  },
  component: SignInPage,
})
