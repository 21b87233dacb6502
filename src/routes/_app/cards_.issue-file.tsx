import { createFileRoute } from "@tanstack/react-router"
import * as z from "zod/mini"
import { IssueFilePage } from "../../features/giftcards/issue-file-page.tsx"
import { recipientsParams } from "../../lists/list-params.ts"

export const Route = createFileRoute("/_app/cards_/issue-file")({
  validateSearch: z.object(recipientsParams),
  component: IssueFilePage,
})
