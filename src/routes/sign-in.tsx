import { createFileRoute, redirect } from "@tanstack/react-router"
import { aboutQuery, sessionQuery } from "../api/session.ts"
import { safePath } from "../features/session/safe-path.ts"
import { SignInPage } from "../features/session/sign-in-page.tsx"

export const Route = createFileRoute("/sign-in")({
  validateSearch: ({ redirect: wanted }: Record<string, unknown>): { redirect?: string } =>
    typeof wanted === "string" ? { redirect: wanted } : {},
  beforeLoad: async ({ context: { queryClient }, search }) => {
    // The page must render even if the server does not respond; it shows that itself.
    const [session] = await Promise.all([
      queryClient.ensureQueryData(sessionQuery).catch(() => null),
      queryClient.prefetchQuery(aboutQuery),
    ])
    if (session !== null) throw redirect({ href: safePath(search.redirect) })
  },
  component: SignInPage,
})
