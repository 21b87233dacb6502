import { createFileRoute } from "@tanstack/react-router"
import { NotFoundPage } from "../../shell/message-pages.tsx"

/** Any other address, inside the shell, so that the way back is in view. */
export const Route = createFileRoute("/_app/$")({ component: NotFoundPage })
