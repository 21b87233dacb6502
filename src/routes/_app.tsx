import { createFileRoute, redirect } from "@tanstack/react-router"
import { Suspense, useEffect } from "react"
import * as z from "zod/mini"
import { sessionQuery } from "../api/session.ts"
import { takeShell } from "../api/status.ts"
import { actSearch } from "../features/points/points-search.ts"
import { viewParam } from "../lists/list-params.ts"
import { fetchedPart, NotOpened } from "../shell/lazy-pages.tsx"
import { Shell } from "../shell/shell.tsx"

export const Route = createFileRoute("/_app")({
  validateSearch: z.extend(actSearch, viewParam),
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
const PointsDrawer = fetchedPart(async () => (await points()).PointsDrawer, NotLoadedDrawer)
const redeem = () => import("../features/rewards/redeem-drawer.tsx")
const RedeemDrawer = fetchedPart(async () => (await redeem()).RedeemDrawer, NotLoadedDrawer)

/** Whoever points at a way into a drawer will open it: its code, and no data, is fetched meanwhile. */
function warmDrawer({ target }: Event): void {
  const link = target instanceof Element && target.closest('a[href*="act="]')
  if (link && navigator.onLine) void (link.matches('[href*="act=redeem"]') ? redeem() : points())
}

function Core() {
  useEffect(() => {
    const until = new AbortController()
    for (const type of ["pointerover", "focusin"]) addEventListener(type, warmDrawer, until)
    return () => until.abort()
  }, [])
  return (
    <Shell>
      <Drawer />
    </Shell>
  )
}

/** Follows the address by itself: the frame, and with it everything in Mantine's context, is not drawn again for it. */
function Drawer() {
  const act = Route.useSearch({ select: ({ act }) => act })
  return <Suspense>{act && (act === "redeem" ? <RedeemDrawer /> : <PointsDrawer />)}</Suspense>
}

function NotLoadedDrawer() {
  const navigate = Route.useNavigate()
  return (
    <NotOpened onClose={() => void navigate({ to: ".", search: (now) => ({ ...now, act: undefined }) })} />
  )
}
