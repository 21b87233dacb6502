import { createFileRoute } from "@tanstack/react-router"
import { SessionsPage } from "../../features/settings/sessions-page.tsx"

export const Route = createFileRoute("/_app/settings/sessions")({ component: SessionsPage })
