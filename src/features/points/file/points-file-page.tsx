import { getRouteApi, useRouterState } from "@tanstack/react-router"
import { lazy, useMemo } from "react"
import type { Recipients } from "../../../../contract/members.ts"
import { useCan, useSession } from "../../../api/session.ts"
import { ImportDenied, ImportPage } from "../../../import/import-page.tsx"
import { useImport } from "../../../import/import-session.ts"
import { ChooseView, OfferedRows, RecipientRows, useRecipients } from "../../../import/recipients.tsx"
import { useSheetFacts } from "../../../import/sheet-facts.ts"
import { formatCount } from "../../../lib/format.ts"
import { fullName } from "../../../lib/names.ts"
import type { PointsAct } from "../points-search.ts"

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
    members: "Award to members",
    help: `${columns} Custom fields are optional, in columns such as metadata.region.`,
    rows: "Rows to award",
  },
  deduct: {
    title: "Deduct from a file",
    members: "Deduct from members",
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
  const { view, company } = route.useSearch()
  const session = useImport(kind, useSession().user.id)
  const recipients = useRecipients({ view, company })
  useSheetFacts(session, { cards: false, members: true, emails: true, known: recipients.list?.known })
  const chosen = useRouterState({ select: ({ location }) => location.state.chosen })
  const { title, members, help, rows: listed } = labels[kind]
  const rows = useMemo(() => chosen && toRows(chosen), [chosen])
  return (
    <ImportPage
      session={session}
      path={path}
      title={view === undefined && company === undefined ? title : members}
      help={help}
      rows={listed}
      intake={<ChooseView />}
      note={
        <>
          {rows !== undefined && <OfferedRows session={session} source={rows} />}
          <RecipientRows {...{ session, recipients }} columns={recipientColumns} toRow={toRecipientRow} />
        </>
      }
    >
      <PointsFilePanel session={session} kind={kind} />
    </ImportPage>
  )
}

const recipientColumns = [
  { name: "Member id", field: "member_id" },
  { name: "Name", field: null },
] as const
const toRecipientRow = (member: Recipients["members"][number]) => [member.id, fullName(member)]

type Chosen = readonly (readonly [id: string, name: string])[]

declare module "@tanstack/react-router" {
  interface HistoryState {
    chosen?: Chosen
  }
}

function toRows(chosen: Chosen) {
  return {
    kind: "rows",
    name: `${formatCount(chosen.length)} chosen members`,
    columns: [
      { name: "Member id", field: "member_id" },
      { name: "Name", field: null },
      { name: "Points", field: "points" },
    ],
    rows: chosen.map(([id, name]) => [id, name, ""]),
  } as const
}
