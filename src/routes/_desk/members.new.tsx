import { createFileRoute } from "@tanstack/react-router"
import { CreateMember } from "../../features/members/create/create-member.tsx"

export const Route = createFileRoute("/_desk/members/new")({ component: CreateMember })
