import { getRouteApi } from "@tanstack/react-router"
import { lazy, Suspense } from "react"

const PointsDrawer = lazy(async () => ({
  default: (await import("./points-drawer.tsx")).PointsDrawer,
}))

const route = getRouteApi("/_app")

/** Where the drawer of awards and deductions opens, above whatever page asked for it. */
export function PointsSlot() {
  const { act } = route.useSearch()
  if (act === undefined) return null
  return (
    <Suspense>
      <PointsDrawer />
    </Suspense>
  )
}
