import { ApiError, explain, Offline, UnreadableAnswer } from "../api/errors.ts"
import { Notice } from "../ui/notice.tsx"

/** Whether an error leaves open if what was sent has arrived. */
export function isNotHeard(error: Error | null): error is Error {
  if (error instanceof Offline || error instanceof UnreadableAnswer) return true
  return error instanceof ApiError && [500, 502, 504].includes(error.status)
}

/**
 * No answer came to a form whose sending is one effect however often it arrives: it may be sent again as it stands.
 */
export function NotHeardNote({ error, button }: { error: Error; button: string }) {
  const { title, detail } = explain(error)
  return (
    <Notice tone="warning" title={title} detail={detail}>
      It is not known whether the desk took it. Press “{button}” again when the connection is back: unchanged,
      it is carried out once, however often it is sent. What you typed is kept.
    </Notice>
  )
}
