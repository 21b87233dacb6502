import { createFileRoute } from "@tanstack/react-router"
import { StatusDialog } from "../../features/members/edit/member-dialogs.tsx"

export const Route = createFileRoute("/_app/members_/$memberId/deactivate")({ component: StatusDialog })
