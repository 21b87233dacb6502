import { createFileRoute } from "@tanstack/react-router"
import { CreateUserDrawer } from "../../features/settings/users/create-user-drawer.tsx"

export const Route = createFileRoute("/_desk/settings/users/new")({ component: CreateUserDrawer })
