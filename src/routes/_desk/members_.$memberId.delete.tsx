import { createFileRoute } from "@tanstack/react-router"
import { DeleteDialog } from "../../features/members/edit/member-dialogs.tsx"

export const Route = createFileRoute("/_desk/members_/$memberId/delete")({ component: DeleteDialog })
