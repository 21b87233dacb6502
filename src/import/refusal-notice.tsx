import { Notice } from "../ui/notice.tsx"
import type { ImportSession } from "./import-session.ts"

/** Why the last file was refused, with its name. What was open stays open below it. */
export function RefusalNotice({ session: { state, dismiss } }: { session: ImportSession }) {
  const { refusal, phase, name } = state
  if (refusal === null) return null
  const { title, help, file } = refusal
  return (
    <Notice tone="danger" title={file === undefined ? title : `${file} wasn’t opened`} onClose={dismiss}>
      {file !== undefined && `${title} `}
      {help}
      {phase === "ready" && file !== undefined && ` ${name} is still open.`}
    </Notice>
  )
}
