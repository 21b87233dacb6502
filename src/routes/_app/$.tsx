import { createFileRoute } from "@tanstack/react-router"
import { NotFoundPage } from "../../shell/message-pages.tsx"

/** Any other URL, within the shell, so that the navigation is visible. */
export const Route = createFileRoute("/_app/$")({ component: NotFoundPage })
