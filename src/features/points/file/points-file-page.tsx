import { Box } from "@mantine/core"
import { getRouteApi, useRouterState } from "@tanstack/react-router"
import { lazy, useEffect } from "react"
import { useCan, useSession } from "../../../api/session.ts"
import { ImportDenied, ImportPage, useSheetFacts } from "../../../import/import-page.tsx"
import { useImport, type ImportSession } from "../../../import/import-session.ts"
import { formatCount } from "../../../lib/format.ts"
import { Notice } from "../../../ui/notice.tsx"
import type { PointsAct } from "../points-search.ts"
import { Button } from "../../../ui/button.tsx"

const route = getRouteApi("/_app/members_/points-file")

const PointsFilePanel = lazy(async () => ({
  default: (await import("./points-file-panel.tsx")).PointsFilePanel,
}))

const path = [{ label: "Members", to: "/members" }]
const columns =
  "It needs a column with member ids or e-mails, one with points, and one with the reason (or one reason for all rows)."
const labels = {
  award: {
    title: "Award from a file",
    help: `${columns} Custom fields are optional, in columns such as metadata.region.`,
    rows: "Rows to award",
  },
  deduct: {
    title: "Deduct from a file",
    help: `${columns} Points are written without a minus.`,
    rows: "Rows to deduct",
  },
} as const

/** Awards or deducts points of up to thousands of members, from a file, pasted rows or the members list. */
export function PointsFilePage() {
  const { kind } = route.useSearch()
  const { title } = labels[kind]
  if (useCan("points.write")) return <PointsFile key={kind} kind={kind} />
  return (
    <ImportDenied kind={kind} title={title} path={path} requires={`${title} requires the Manager role`} />
  )
}

function PointsFile({ kind }: { kind: PointsAct }) {
  const session = useImport(kind, useSession().user.id)
  useSheetFacts(session, { cards: false, members: true })
  return (
    <ImportPage session={session} path={path} {...labels[kind]} note={<ChosenMembers session={session} />}>
      <PointsFilePanel session={session} kind={kind} />
    </ImportPage>
  )
}

type Chosen = readonly (readonly [id: string, name: string])[]

declare module "@tanstack/react-router" {
  interface HistoryState {
    chosen?: Chosen
  }
}

/** Opens the members chosen in the list as rows. An existing draft has precedence until the user chooses. */
function ChosenMembers({ session }: { session: ImportSession }) {
  const chosen = useRouterState({ select: ({ location }) => location.state.chosen })
  const { state, open } = session
  const waits = chosen !== undefined && state.phase === "empty" && state.revision === 0
  useEffect(() => {
    if (waits && chosen !== undefined) void open(toRows(chosen))
  }, [waits, chosen, open])
  // Rows of a file opened since then are not an earlier draft.
  const isDraft = state.phase === "ready" && state.restoredAt !== null
  if (chosen === undefined || !isDraft || state.name === nameOf(chosen)) return null
  return (
    <Box px="gutter" pb={12}>
      <Notice
        tone="info"
        title={`You have an earlier draft: ${state.name}`}
        action={
          <Button size="xs" onClick={() => void open(toRows(chosen))}>
            Use the {nameOf(chosen)} instead
          </Button>
        }
      />
    </Box>
  )
}

function nameOf(chosen: Chosen): string {
  return `${formatCount(chosen.length)} chosen members`
}

function toRows(chosen: Chosen) {
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
