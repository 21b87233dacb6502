import { createFileRoute } from "@tanstack/react-router"
import { DataSettingsPage } from "../../features/settings/data-page.tsx"

export const Route = createFileRoute("/_app/settings/data")({ component: DataSettingsPage })
