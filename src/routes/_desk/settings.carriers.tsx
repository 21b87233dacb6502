import { createFileRoute } from "@tanstack/react-router"
import { CarriersPage } from "../../features/settings/carriers-page.tsx"

export const Route = createFileRoute("/_desk/settings/carriers")({ component: CarriersPage })
