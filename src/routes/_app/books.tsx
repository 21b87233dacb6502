import { createFileRoute } from "@tanstack/react-router"
import { booksQuery } from "../../api/books.ts"
import { sessionCan } from "../../api/session.ts"
import { BooksPage } from "../../features/books/books-page.tsx"

export const Route = createFileRoute("/_app/books")({
  loader: ({ context: { queryClient, session } }) => {
    if (sessionCan(session, "reports.read")) void queryClient.prefetchQuery(booksQuery)
  },
  component: BooksPage,
})
