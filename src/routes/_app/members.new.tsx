import { createFileRoute } from "@tanstack/react-router"
import { CreateMember } from "../../features/members/create/create-member.tsx"
import { createSearch } from "../../features/members/member-search.ts"

export const Route = createFileRoute("/_app/members/new")({
  validateSearch: createSearch,
  component: CreateMember,
})
