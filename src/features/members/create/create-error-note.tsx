import { Link } from "@tanstack/react-router"
import { explain, ApiError } from "../../../api/errors.ts"
import { duplicateOf } from "../../../api/member-writes.ts"
import { Notice } from "../../../ui/notice.tsx"
import { LookAgain } from "./look-again.tsx"

/** Whether creating says more about this error than the form's own words do. */
export function hasOwnNote(error: Error | null): error is ApiError {
  return duplicateOf(error) !== null || (error instanceof ApiError && error.code === "outcome_unknown")
}

/** A member already, with the way to them; or not known, with a way to look again. What was typed stays. */
export function CreateErrorNote({ error, email }: { error: ApiError; email: string }) {
  const memberId = duplicateOf(error)
  const { detail, title } = explain(error)
  if (memberId !== null) {
    return (
      <Notice
        tone="danger"
        title={error.message}
        detail={detail}
        action={
          <Link className="l-link" to="/members/$memberId" params={{ memberId }}>
            Open that member
          </Link>
        }
      />
    )
  }
  return (
    <Notice tone="warning" title={title} detail={detail} action={<LookAgain email={email} />}>
      {error.message}
    </Notice>
  )
}
