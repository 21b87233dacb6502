import { createFileRoute } from "@tanstack/react-router"
import { CreateUserDrawer } from "../../features/settings/user-drawers.tsx"

export const Route = createFileRoute("/_app/settings/users/new")({ component: CreateUserDrawer })
