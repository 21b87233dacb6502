import { createFileRoute, redirect } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { sessionQuery } from "../api/session.ts"
import { pointsSearch } from "../features/points/points-search.ts"
import { Shell } from "../shell/shell.tsx"

export const Route = createFileRoute("/_app")({
  validateSearch: pointsSearch,
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery)
    if (session === null) throw redirect({ to: "/sign-in", search: { redirect: location.href } })
    return { session }
  },
  component: Core,
})

const PointsDrawer = lazy(async () => ({
  default: (await import("../features/points/points-drawer.tsx")).PointsDrawer,
}))

function Core() {
  const opensPoints = Route.useSearch({ select: ({ act }) => act !== undefined })
  return (
    <Shell>
      <Suspense>{opensPoints && <PointsDrawer />}</Suspense>
    </Shell>
  )
}
