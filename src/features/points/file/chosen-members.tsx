import { Button } from "@mantine/core"
import { useRouterState } from "@tanstack/react-router"
import { useEffect } from "react"
import type { ImportSession } from "../../../import/session/import-session.ts"
import { formatCount } from "../../../lib/format.ts"
import { Notice } from "../../../ui/notice.tsx"

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** Members chosen in the list, too many for one address: ids with names. */
    chosen?: readonly (readonly [id: string, name: string])[]
  }
}

/** Opens the members chosen in the list as rows. A draft that is there stays until the person says otherwise. */
export function ChosenMembers({ session }: { session: ImportSession }) {
  const chosen = useRouterState({ select: ({ location }) => location.state.chosen })
  const { state, open } = session
  const { phase } = state
  const waits = chosen !== undefined && phase === "empty" && state.revision === 0
  useEffect(() => {
    if (waits && chosen !== undefined) void open(rowsOf(chosen))
  }, [waits, chosen, open])
  if (chosen === undefined || phase !== "ready" || state.name === nameOf(chosen)) return null
  return (
    <Notice
      tone="info"
      title={`You have an earlier draft: ${state.name}`}
      action={
        <Button size="xs" onClick={() => void open(rowsOf(chosen))}>
          Use the {nameOf(chosen)} instead
        </Button>
      }
    />
  )
}

type Chosen = readonly (readonly [id: string, name: string])[]

function nameOf(chosen: Chosen): string {
  return `${formatCount(chosen.length)} chosen members`
}

function rowsOf(chosen: Chosen) {
  return {
    kind: "rows",
    name: nameOf(chosen),
    columns: [
      { name: "Member id", field: "member_id" },
      { name: "Name", field: null },
      { name: "Points", field: "points" },
    ],
    rows: chosen.map(([id, name]) => [id, name, ""]),
  } as const
}
