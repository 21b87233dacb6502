import { IconX } from "@tabler/icons-react"
import { IconButton } from "../ui/icon-button.tsx"
import { Notice } from "../ui/notice.tsx"
import type { ImportSession } from "./import-session.ts"

/** Why the last file was refused, with its name. What was open stays open below it. */
export function RefusalNotice({ session: { state, dismiss } }: { session: ImportSession }) {
  const { refusal, phase, name } = state
  if (refusal === null) return null
  const { title, help, file } = refusal
  return (
    <Notice
      tone="danger"
      title={file === undefined ? title : `${file} wasn’t opened`}
      end={<IconButton label="Dismiss" icon={<IconX size={16} stroke={1.75} />} onClick={dismiss} />}
    >
      {file !== undefined && `${title} `}
      {help}
      {phase === "ready" && file !== undefined && ` ${name} is still open.`}
    </Notice>
  )
}
