import { lazy } from "react"
import { useCan, useSession } from "../../api/session.ts"
import { ImportDenied, ImportPage, useSheetFacts } from "../../import/import-page.tsx"
import { useImport } from "../../import/import-session.ts"
import { useFileCards } from "./file-cards.ts"

const IssueFilePanel = lazy(async () => ({
  default: (await import("./issue-file-panel.tsx")).IssueFilePanel,
}))

const page = { title: "Issue from a file", path: [{ label: "Gift cards", to: "/cards" }] } as const

/** Issues up to thousands of gift cards from a file or pasted rows. */
export function IssueFilePage() {
  if (useCan("cards.issue")) return <IssueFile />
  return <ImportDenied kind="giftcard" {...page} requires="Issuing gift cards requires the Manager role" />
}

function IssueFile() {
  const session = useImport("giftcard", useSession().user.id)
  const cards = useFileCards(session)
  useSheetFacts(session, { cards: true, used: cards.used })
  return (
    <ImportPage
      {...page}
      session={session}
      help="It needs columns for the recipient’s e-mail, first name and last name, and the amount (or one amount for all rows). Card, reference, days, account key, mobile and unsubscribe link are optional."
      rows="Cards to issue"
    >
      <IssueFilePanel session={session} cards={cards} />
    </ImportPage>
  )
}
