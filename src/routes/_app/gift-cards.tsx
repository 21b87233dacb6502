import { createFileRoute, redirect } from "@tanstack/react-router"

export const Route = createFileRoute("/_app/gift-cards")({
  beforeLoad: () => {
    throw redirect({ to: "/cards", replace: true })
  },
})
