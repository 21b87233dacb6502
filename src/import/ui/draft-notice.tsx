import { Button } from "@mantine/core"
import { IconX } from "@tabler/icons-react"
import { useState } from "react"
import { ago, isSameDay, timeOfDay } from "../../lib/time.ts"
import { IconButton } from "../../ui/icon-button.tsx"
import { Notice } from "../../ui/notice.tsx"
import type { ImportSession } from "../session/import-session.ts"

/** Says that what stands here is the draft of before, and lets it go. */
export function DraftNotice({ session }: { session: ImportSession }) {
  const { restoredAt } = session.state
  const [seen, setSeen] = useState(false)
  const [now] = useState(() => Date.now())
  if (restoredAt === null || seen) return null
  return (
    <Notice
      tone="info"
      title={`Draft from ${momentOf(restoredAt, now)} restored`}
      action={
        <Button size="xs" onClick={() => void session.clear()}>
          Discard draft
        </Button>
      }
      end={
        <IconButton label="Dismiss" icon={<IconX size={16} stroke={1.75} />} onClick={() => setSeen(true)} />
      }
    >
      Drafts stay in this browser only, for 14 days.
    </Notice>
  )
}

function momentOf(at: number, now: number): string {
  const today = isSameDay(at, now)
  return today ? timeOfDay(at) : ago(at, now)
}
