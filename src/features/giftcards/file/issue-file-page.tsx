import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useEffect, useState } from "react"
import { cardPairsQuery, cardTemplatesQuery } from "../../../api/gift-cards.ts"
import { useCan, useSession } from "../../../api/session.ts"
import { limitsTodayQuery } from "../../../api/settings.ts"
import { FileFrame } from "../../../forms/job-upload/file-frame.tsx"
import { useImport } from "../../../import/session/use-import.ts"
import { Notice } from "../../../ui/notice.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import type { FoundReference } from "./used-note.tsx"

const IssueFilePanel = lazy(async () => ({
  default: (await import("./issue-file-panel.tsx")).IssueFilePanel,
}))

const title = "Issue from a file"
const path = [{ label: "Gift cards", to: "/cards" }]

/** Issues gift cards by the thousand: rows from a file or a paste. */
export function IssueFilePage() {
  if (useCan("cards.issue")) return <IssueFile />
  return (
    <>
      <PageHeader title={title} path={path} />
      <Notice tone="info" title="Issuing gift cards requires the Manager role">
        You can view gift cards but not issue them. Ask an administrator to change your role.
      </Notice>
    </>
  )
}

function IssueFile() {
  const { user, program } = useSession()
  const session = useImport({ recipe: "giftcard", userId: user.id })
  const { data: settings } = useQuery(cardTemplatesQuery)
  const { data: pairs } = useQuery(cardPairsQuery)
  const { know } = session
  const [used, setUsed] = useState<readonly FoundReference[]>([])
  const { currency } = program
  const limits = useQuery(limitsTodayQuery).data?.limits
  useEffect(() => {
    // What cannot be read is not checked here; the server checks in any case.
    const references = used.map(({ template, reference, by }) => ({ template, reference, by }))
    void know({
      ...(limits !== undefined && { amounts: { limits, currency } }),
      ...(settings !== undefined &&
        pairs !== undefined && { cards: { settings, pairs, currency, used: references } }),
    })
  }, [know, settings, pairs, currency, used, limits])
  return (
    <FileFrame
      session={session}
      title={title}
      path={path}
      intake="Drop a CSV file, or paste rows from a spreadsheet"
      help="It needs columns for the recipient’s e-mail, first name and last name, and the amount (or one amount for all rows). Card, reference, days, account key, mobile and unsubscribe link are optional."
      rows="Cards to issue"
    >
      <Suspense>
        <IssueFilePanel session={session} used={used} onUsed={setUsed} />
      </Suspense>
    </FileFrame>
  )
}
