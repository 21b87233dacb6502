import { Link } from "@tanstack/react-router"
import { ApiError, explain, Offline, UnreadableAnswer } from "../api/errors.ts"
import { Notice } from "../ui/notice.tsx"

/** Whether the key stands for what was sent before it was changed: that one was taken after all. */
export function isTakenBefore(error: unknown): boolean {
  return error instanceof ApiError && error.status === 422 && error.code === "conflict"
}

/** Whether an error leaves open if what was sent has arrived. */
function isNotHeard(error: Error | null): error is Error {
  if (error instanceof Offline || error instanceof UnreadableAnswer) return true
  return error instanceof ApiError && [500, 502, 504].includes(error.status)
}

/** Whether `SubmissionNote` says more about an error than the form's own words. */
export function needsSubmissionNote(error: Error | null): error is Error {
  return isNotHeard(error) || isTakenBefore(error)
}

/**
 * No answer came to a form whose sending is one effect however often it arrives, so it may be sent again as it
 * stands; or it was changed after such a silence, and the first one had arrived.
 */
export function SubmissionNote({ error, button }: { error: Error; button: string }) {
  const { title, detail } = explain(error)
  if (isTakenBefore(error)) {
    return (
      <Notice
        tone="warning"
        title="Your earlier version was already accepted"
        detail={detail}
        action={
          <Link to="/jobs" className="l-link">
            View it in Activity
          </Link>
        }
      >
        Nothing more was sent now. Look at that one first: “{button}” sends this one as well.
      </Notice>
    )
  }
  return (
    <Notice tone="warning" title={title} detail={detail}>
      It is not known whether the desk took it. Press “{button}” again when the connection is back: unchanged,
      it’s carried out once, however often it’s sent. What you typed is kept.
    </Notice>
  )
}
