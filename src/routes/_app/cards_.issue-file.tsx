import { createFileRoute } from "@tanstack/react-router"
import { IssueFilePage } from "../../features/giftcards/issue-file-page.tsx"

export const Route = createFileRoute("/_app/cards_/issue-file")({ component: IssueFilePage })
