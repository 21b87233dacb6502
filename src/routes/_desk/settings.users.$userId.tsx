import { createFileRoute } from "@tanstack/react-router"
import { UserDrawer } from "../../features/settings/users/user-drawer.tsx"

export const Route = createFileRoute("/_desk/settings/users/$userId")({ component: UserDrawer })
