import type { UseQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { ErrorNotice } from "../../ui/error-notice.tsx"

/** A panel of the home page: what was read, also while it is read again; else a placeholder, else the error. */
export function Loaded<T>(props: {
  query: Pick<UseQueryResult<T>, "data" | "error" | "isFetching" | "refetch">
  what: string
  placeholder: ReactNode
  children: (data: T) => ReactNode
}) {
  const { query, what, placeholder, children } = props
  const { data, error, isFetching, refetch } = query
  if (data !== undefined) return children(data)
  if (error === null || isFetching) return placeholder
  return <ErrorNotice error={error} what={what} onRetry={() => void refetch()} />
}
