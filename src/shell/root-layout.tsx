import { Outlet } from "@tanstack/react-router"
import { RouteAnnouncer } from "./route-announcer.tsx"

/** What stands around every page, signed in or not. */
export function RootLayout() {
  return (
    <>
      <Outlet />
      <RouteAnnouncer />
    </>
  )
}
