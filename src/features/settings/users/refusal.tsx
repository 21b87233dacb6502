import { ApiError, explain } from "../../../api/errors.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Notice } from "../../../ui/notice.tsx"

interface RefusalProps {
  error: Error | null
  /** What was not done. */
  what: string
}

/** The error of a question about a user: the server's own word where it refused by a rule, in the same place. */
export function Refusal({ error, what }: RefusalProps) {
  if (error === null) return null
  const problems = error instanceof ApiError ? (error.details?.fields ?? []) : []
  if (problems.length === 0) return <ErrorNotice error={error} what={what} />
  return (
    <Notice tone="danger" title={what} detail={explain(error).detail}>
      {problems.map(({ message }) => message).join(" ")}
    </Notice>
  )
}
