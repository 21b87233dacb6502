import { createFileRoute } from "@tanstack/react-router"
import { IssueAboveList } from "../../features/giftcards/issue/issue-above-list.tsx"
import { issueSearch } from "../../features/giftcards/search.ts"

export const Route = createFileRoute("/_desk/cards/issue")({
  validateSearch: issueSearch,
  component: IssueAboveList,
})
