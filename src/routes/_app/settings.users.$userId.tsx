import { createFileRoute } from "@tanstack/react-router"
import { UserDrawer } from "../../features/settings/user-drawers.tsx"

export const Route = createFileRoute("/_app/settings/users/$userId")({ component: UserDrawer })
