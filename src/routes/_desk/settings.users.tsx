import { createFileRoute } from "@tanstack/react-router"
import { UsersPage } from "../../features/settings/users-page.tsx"

export const Route = createFileRoute("/_desk/settings/users")({ component: UsersPage })
