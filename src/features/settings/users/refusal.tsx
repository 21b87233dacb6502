import { ApiError, explain } from "../../../api/errors.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Notice } from "../../../ui/notice.tsx"

/** Whether the server refused a change to a user by a rule of its own: then its sentence says it best. */
export function isRuleRefusal(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false
  return ["conflict", "forbidden", "validation"].includes(error.code) && error.details?.fields === undefined
}

/** An error of a change to a user, with the server's own word where it refused by a rule. */
export function Refusal({ error, what }: { error: unknown; what: string }) {
  if (error === null || error === undefined) return null
  if (!isRuleRefusal(error)) return <ErrorNotice error={error} what={what} />
  return (
    <Notice tone="danger" title={what} detail={explain(error).detail}>
      {error.message}
    </Notice>
  )
}
