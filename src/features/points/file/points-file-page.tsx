import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { lazy, Suspense, useEffect } from "react"
import { useCan, useSession } from "../../../api/session.ts"
import { limitsTodayQuery } from "../../../api/settings.ts"
import { FileFrame } from "../../../forms/job-upload/file-frame.tsx"
import { useImport } from "../../../import/session/use-import.ts"
import { Notice } from "../../../ui/notice.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import type { PointsAct } from "../points-search.ts"
import { ChosenMembers } from "./chosen-members.tsx"
import { fileWords } from "./file-words.ts"

const route = getRouteApi("/_desk/members_/points-file")

const PointsFilePanel = lazy(async () => ({
  default: (await import("./points-file-panel.tsx")).PointsFilePanel,
}))

/** Awards or deducts by the thousand: rows from a file, a paste or the members list. */
export function PointsFilePage() {
  const { kind } = route.useSearch()
  const allowed = useCan("points.write")
  const words = fileWords[kind]
  if (allowed) return <PointsFile key={kind} kind={kind} />
  return (
    <>
      <PageHeader title={words.title} path={[{ label: "Members", to: "/members" }]} />
      <Notice tone="info" title={`${words.title} requires the Manager role`}>
        You can view points but not change them. Ask an administrator to change your role.
      </Notice>
    </>
  )
}

function PointsFile({ kind }: { kind: PointsAct }) {
  const { user, program } = useSession()
  const session = useImport({ recipe: kind, userId: user.id })
  const limits = useQuery(limitsTodayQuery).data?.limits
  const words = fileWords[kind]
  const { know } = session
  const { currency } = program
  useEffect(() => {
    if (limits !== undefined) void know({ amounts: { limits, currency } })
  }, [know, limits, currency])
  return (
    <FileFrame
      session={session}
      title={words.title}
      intake="Drop a CSV file, or paste rows from a spreadsheet"
      help={words.help}
      rows={words.rows}
      note={<ChosenMembers session={session} />}
    >
      <Suspense>
        <PointsFilePanel session={session} kind={kind} />
      </Suspense>
    </FileFrame>
  )
}
