import { IconX } from "@tabler/icons-react"
import { IconButton } from "../ui/icon-button.tsx"
import { Notice } from "../ui/notice.tsx"
import type { ImportSession } from "./import-session.ts"

/** Why the last file was not taken. What was open before is still open. */
export function RefusalNotice({ session: { state, dismiss } }: { session: ImportSession }) {
  const { refusal } = state
  if (refusal === null) return null
  return (
    <Notice
      tone="danger"
      title={refusal.title}
      end={<IconButton label="Dismiss" icon={<IconX size={16} stroke={1.75} />} onClick={dismiss} />}
    >
      {refusal.help}
    </Notice>
  )
}
