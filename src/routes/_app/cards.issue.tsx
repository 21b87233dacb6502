import { createFileRoute } from "@tanstack/react-router"
import { IssueDrawer } from "../../features/giftcards/issue-drawer.tsx"
import { issueSearch } from "../../features/giftcards/card-search.ts"

export const Route = createFileRoute("/_app/cards/issue")({
  validateSearch: issueSearch,
  component: IssueDrawer,
})
