import { createFileRoute } from "@tanstack/react-router"
import { MergeDialog } from "../../features/members/edit/merge-member.tsx"

export const Route = createFileRoute("/_app/members_/$memberId/merge")({ component: MergeDialog })
