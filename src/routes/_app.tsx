import { createFileRoute, redirect } from "@tanstack/react-router"
import { lazy, Suspense, useEffect } from "react"
import * as z from "zod/mini"
import { sessionQuery } from "../api/session.ts"
import { takeShell } from "../api/status.ts"
import { pointsSearch } from "../features/points/points-search.ts"
import { viewParam } from "../lists/list-params.ts"
import { Shell } from "../shell/shell.tsx"

export const Route = createFileRoute("/_app")({
  validateSearch: z.extend(pointsSearch, viewParam),
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery)
    if (session === null) throw redirect({ to: "/sign-in", search: { redirect: location.href } })
    return { session }
  },
  // It travels with the frame: signing in needs none of it.
  loader: ({ context: { queryClient, session } }) => takeShell(queryClient, session),
  component: Core,
})

const points = () => import("../features/points/points-drawer.tsx")
const PointsDrawer = lazy(async () => ({ default: (await points()).PointsDrawer }))

/** Whoever points at a way into the drawer will open it: its code, and no data, is fetched meanwhile. */
function warmPoints({ target }: Event): void {
  if (target instanceof Element && target.closest('a[href*="act="]') !== null) void points()
}

function Core() {
  useEffect(() => {
    const until = new AbortController()
    for (const type of ["pointerover", "focusin"]) addEventListener(type, warmPoints, until)
    return () => until.abort()
  }, [])
  return (
    <Shell>
      <Points />
    </Shell>
  )
}

/** Follows the address by itself: the frame, and with it everything in Mantine's context, is not drawn again for it. */
function Points() {
  const open = Route.useSearch({ select: ({ act }) => act !== undefined })
  return <Suspense>{open && <PointsDrawer />}</Suspense>
}
