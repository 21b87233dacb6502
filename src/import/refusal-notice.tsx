import { Group } from "@mantine/core"
import { Button } from "../ui/button.tsx"
import { Notice } from "../ui/notice.tsx"
import type { ImportSession } from "./import-session.ts"

/** Why the last file was refused, with its name, or which of its sheets to open. What was open stays open below it. */
export function RefusalNotice({ session }: { session: ImportSession }) {
  const { refusal, phase, name } = session.state
  if (refusal === null) return null
  const { title, help, file, sheets = [] } = refusal
  const stays = phase === "ready" && file !== undefined && ` ${name} is still open.`
  if (sheets.length > 0) {
    return (
      <Notice tone="info" title={title} onClose={session.dismiss}>
        {help}
        {stays}
        <Group gap={8} mt={8}>
          {sheets.map((sheet) => (
            <Button size="xs" key={sheet} onClick={() => void session.openSheet(sheet)}>
              {sheet}
            </Button>
          ))}
        </Group>
      </Notice>
    )
  }
  return (
    <Notice
      tone="danger"
      title={file === undefined ? title : `${file} wasn’t opened`}
      onClose={session.dismiss}
    >
      {file !== undefined && `${title} `}
      {help}
      {stays}
    </Notice>
  )
}
