import { createFileRoute } from "@tanstack/react-router"
import { EditMember } from "../../features/members/edit/edit-member.tsx"

export const Route = createFileRoute("/_app/members_/$memberId/edit")({ component: EditMember })
