import { createFileRoute, redirect } from "@tanstack/react-router"
import { sessionQuery } from "../../api/session.ts"
import { sectionsFor } from "../../features/settings/search.ts"

export const Route = createFileRoute("/_app/settings/")({
  beforeLoad: async ({ context: { queryClient } }) => {
    const [first] = sectionsFor(await queryClient.ensureQueryData(sessionQuery))
    throw redirect({ to: first?.to ?? "/settings/about", replace: true })
  },
})
