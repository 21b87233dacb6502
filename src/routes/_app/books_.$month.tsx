import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { bookMonthQuery, differencesQuery } from "../../api/books.ts"
import { sessionCan } from "../../api/session.ts"
import { monthDefaults, monthSearch, toDifferencesQuery } from "../../features/books/book-search.ts"
import { MonthPage } from "../../features/books/month-page.tsx"

export const Route = createFileRoute("/_app/books_/$month")({
  validateSearch: monthSearch,
  search: { middlewares: [stripSearchParams(monthDefaults)] },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient, session }, params: { month }, deps }) => {
    if (!sessionCan(session, "reports.read")) return
    void queryClient.prefetchQuery(bookMonthQuery(month))
    void queryClient.prefetchQuery(differencesQuery(month, toDifferencesQuery(deps)))
  },
  component: MonthPage,
})
