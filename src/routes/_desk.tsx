import { createFileRoute, redirect } from "@tanstack/react-router"
import { sessionQuery } from "../api/session.ts"
import { Shell } from "../shell/shell.tsx"

export const Route = createFileRoute("/_desk")({
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery)
    if (session === null) throw redirect({ to: "/sign-in", search: { redirect: location.href } })
  },
  component: Shell,
})
