import { createFileRoute } from "@tanstack/react-router"
import { DeleteDialog } from "../../features/members/edit/member-dialogs.tsx"

export const Route = createFileRoute("/_app/members_/$memberId/delete")({ component: DeleteDialog })
