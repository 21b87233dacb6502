import { createFileRoute, redirect } from "@tanstack/react-router"

export const Route = createFileRoute("/_app/ship")({
  beforeLoad: () => {
    throw redirect({ to: "/orders/ship", replace: true })
  },
})
