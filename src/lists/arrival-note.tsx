import { useRouterState } from "@tanstack/react-router"
import { useState } from "react"
import { IconX } from "@tabler/icons-react"
import { IconButton } from "../ui/icon-button.tsx"
import { Notice } from "../ui/notice.tsx"

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** What was done on the page somebody comes from: "Ana Silva was deleted". */
    note?: string
  }
}

/** Says what was just done elsewhere, to whoever comes from there. It stays until it is closed or left. */
export function ArrivalNote() {
  const { note, key } = useRouterState({
    select: ({ location: { state } }) => ({ note: state.note, key: state.__TSR_key }),
    structuralSharing: true,
  })
  const [closed, setClosed] = useState<string | undefined>()
  if (note === undefined || closed === key) return null
  return (
    <Notice
      tone="success"
      title={note}
      end={
        <IconButton
          label="Close"
          icon={<IconX size={14} stroke={2} />}
          size="sm"
          onClick={() => setClosed(key)}
        />
      }
    />
  )
}
