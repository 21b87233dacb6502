import { createFileRoute } from "@tanstack/react-router"
import { CarriersPage } from "../../features/settings/carriers-page.tsx"

export const Route = createFileRoute("/_app/settings/carriers")({ component: CarriersPage })
