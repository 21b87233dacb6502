import { createFileRoute } from "@tanstack/react-router"
import { ProgramPage } from "../../features/settings/program-page.tsx"

export const Route = createFileRoute("/_app/settings/program")({ component: ProgramPage })
