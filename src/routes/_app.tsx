import { createFileRoute, redirect } from "@tanstack/react-router"
import { sessionQuery } from "../api/session.ts"
import { PointsSlot } from "../features/points/points-slot.tsx"
import { pointsSearch } from "../features/points/points-search.ts"
import { Shell } from "../shell/shell.tsx"

export const Route = createFileRoute("/_app")({
  validateSearch: pointsSearch,
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery)
    if (session === null) throw redirect({ to: "/sign-in", search: { redirect: location.href } })
  },
  component: Core,
})

function Core() {
  return (
    <Shell>
      <PointsSlot />
    </Shell>
  )
}
