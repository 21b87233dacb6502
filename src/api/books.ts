import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import * as z from "zod/mini"
import {
  bookDifference,
  bookLine,
  bookStatement,
  type DifferencesQuery,
  type FinanceRow,
  matchReport,
} from "../../contract/books.ts"
import { registerTopic } from "./events.ts"
import { useWrite } from "./paging.ts"
import { apiPath, request, requestData, responseQuery } from "./request.ts"

const booksKey = ["books"] as const

registerTopic("copy", booksKey)

/** Every month of the books, newest first. No upstream request, as for everything below. */
export const booksQuery = responseQuery([...booksKey, "months"], {
  path: ["books"],
  schema: z.array(bookLine),
})

/** The statement of one month: as it was closed, or as calculated now. */
export function bookMonthQuery(month: string) {
  return responseQuery([...booksKey, "month", month], { path: ["books", month], schema: bookStatement })
}

/** Path and schema of a month's differences, for the list and the export. */
export const differencesRead = (month: string) => ({
  path: apiPath("books", month, "differences"),
  schema: z.array(bookDifference),
})

/** One page of a month's differences. */
export function differencesQuery(
  month: string,
  query: DifferencesQuery,
  { fresh }: { readonly fresh?: boolean } = {},
) {
  return queryOptions({
    queryKey: [...booksKey, "differences", month, query],
    queryFn: ({ signal }) => request({ ...differencesRead(month), query, signal, fresh }),
    placeholderData: keepPreviousData,
  })
}

/**
 * Closes a month for good; `notRead` members are accepted as not read. Needs `books.close`. `onClosed` is called also
 * when the page shows the closed month before the response arrives, which unmounts the dialog.
 */
export function useCloseMonth(month: string, onClosed: () => void) {
  return useWrite(
    (notRead: number) =>
      request({
        method: "POST",
        path: apiPath("books", month, "close"),
        body: { not_read: notRead },
        schema: bookStatement,
      }),
    (client) => {
      onClosed()
      return client.invalidateQueries({ queryKey: booksKey })
    },
  )
}

/** Begins to look again at members whose balance and ledger differ. Does not wait for what is found. */
export function useCheckBooks() {
  return useWrite(() => request({ method: "POST", path: apiPath("books", "check"), schema: z.unknown() }))
}

/** Compares rows of a finance file with the month's ledgers. Nothing is stored. */
export function useMatchFile(month: string) {
  return useWrite((rows: readonly FinanceRow[]) =>
    requestData({
      method: "POST",
      path: apiPath("books", month, "match"),
      body: { rows },
      asks: true,
      schema: matchReport,
    }),
  )
}
