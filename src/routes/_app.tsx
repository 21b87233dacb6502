import { createFileRoute, redirect } from "@tanstack/react-router"
import { Suspense } from "react"
import * as z from "zod/mini"
import { sessionQuery } from "../api/session.ts"
import { cacheShell } from "../api/shell.ts"
import { actSearch } from "../features/points/points-search.ts"
import { viewParam } from "../lists/list-params.ts"
import { fetchedPart } from "../ui/fetched-part.tsx"
import { NotOpened } from "../ui/not-loaded.tsx"
import { Shell } from "../shell/shell.tsx"

export const Route = createFileRoute("/_app")({
  // In the chunk of the start, so that pages share what it uses.
  codeSplitGroupings: [],
  validateSearch: z.extend(actSearch, viewParam),
  beforeLoad: async ({ context: { queryClient }, location, cause, preload }) => {
    // The next page may render for longer than a frame: its link is shown as pressed first.
    if (cause === "stay" && !preload) await new Promise((resolve) => setTimeout(resolve))
    const session = await queryClient.ensureQueryData(sessionQuery)
    if (session === null) throw redirect({ to: "/sign-in", search: { redirect: location.href } })
    return { session }
  },
  loader: ({ context: { queryClient, session } }) => cacheShell(queryClient, session),
  component: Core,
})

const PointsDrawer = fetchedPart(
  async () => (await import("../features/points/points-drawer.tsx")).PointsDrawer,
  NotLoadedDrawer,
)
const RedeemDrawer = fetchedPart(
  async () => (await import("../features/rewards/redeem-drawer.tsx")).RedeemDrawer,
  NotLoadedDrawer,
)

function Core() {
  return (
    <Shell>
      <Drawer />
    </Shell>
  )
}

/** Subscribes to the location itself, so that the shell and Mantine's context do not render again for it. */
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
