import { createFileRoute } from "@tanstack/react-router"
import { MatchPage } from "../../features/books/match-page.tsx"

export const Route = createFileRoute("/_app/books_/$month_/match")({ component: MatchPage })
