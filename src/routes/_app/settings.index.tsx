import { createFileRoute, redirect } from "@tanstack/react-router"
import { sessionCan, sessionQuery } from "../../api/session.ts"
import { settingsSections } from "../../features/settings/search.ts"

export const Route = createFileRoute("/_app/settings/")({
  beforeLoad: async ({ context: { queryClient } }) => {
    const session = await queryClient.ensureQueryData(sessionQuery)
    const first = settingsSections.find(
      ({ permission }) => permission === undefined || (session !== null && sessionCan(session, permission)),
    )
    throw redirect({ to: first?.to ?? "/settings/about", replace: true })
  },
})
