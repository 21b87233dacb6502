import { createFileRoute } from "@tanstack/react-router"
import { SetPasswordPage } from "../features/session/set-password-page.tsx"

export const Route = createFileRoute("/set-password")({ component: SetPasswordPage })
