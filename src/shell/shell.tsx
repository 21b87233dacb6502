import { Outlet } from "@tanstack/react-router"

/** The desk around a page. */
export function Shell() {
  return <Outlet />
}
