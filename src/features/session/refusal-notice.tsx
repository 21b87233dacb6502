import type { ReactNode } from "react"
import { explain } from "../../api/errors.ts"
import { Notice } from "../../ui/notice.tsx"

interface RefusalNoticeProps {
  error: unknown
  /** What did not happen, as a sentence. */
  what?: string
  action?: ReactNode
}

/** An error in a person's words on the pages before the desk, where `ErrorNotice` would bring its button along. */
export function RefusalNotice({ error, what, action }: RefusalNoticeProps) {
  const { tone, title, body, next, detail } = explain(error)
  return (
    <Notice tone={tone} title={title} detail={detail} action={action}>
      {[what, body, next].filter(Boolean).join(" ")}
    </Notice>
  )
}
