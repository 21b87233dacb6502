import { createFileRoute, redirect } from "@tanstack/react-router"
import { sectionsFor } from "../../features/settings/settings-search.ts"

export const Route = createFileRoute("/_app/settings/")({
  beforeLoad: ({ context: { session } }) => {
    const [first] = sectionsFor(session)
    throw redirect({ to: first?.to ?? "/settings/about", replace: true })
  },
})
