import { createFileRoute } from "@tanstack/react-router"
import { ImportMembersPage } from "../../features/members/import/import-members-page.tsx"

export const Route = createFileRoute("/_app/members_/import")({ component: ImportMembersPage })
