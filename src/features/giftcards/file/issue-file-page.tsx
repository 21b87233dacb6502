import { useQuery } from "@tanstack/react-query"
import { lazy, useMemo } from "react"
import { cardPairsQuery, cardTemplatesQuery } from "../../../api/gift-cards.ts"
import { useCan, useSession } from "../../../api/session.ts"
import { ImportDenied, ImportPage, useSheetFacts } from "../../../import/import-page.tsx"
import { useImport } from "../../../import/import-session.ts"
import { useFileCards } from "./file-cards.ts"

const IssueFilePanel = lazy(async () => ({
  default: (await import("./issue-file-panel.tsx")).IssueFilePanel,
}))

const page = { title: "Issue from a file", path: [{ label: "Gift cards", to: "/cards" }] } as const

/** Issues gift cards by the thousand: rows from a file or a paste. */
export function IssueFilePage() {
  if (useCan("cards.issue")) return <IssueFile />
  return (
    <ImportDenied {...page} requires="Issuing gift cards requires the Manager role">
      You can view gift cards but not issue them.
    </ImportDenied>
  )
}

function IssueFile() {
  const { user, program } = useSession()
  const { currency } = program
  const session = useImport("giftcard", user.id)
  const { data: settings } = useQuery(cardTemplatesQuery)
  const { data: pairs } = useQuery(cardPairsQuery)
  const cards = useFileCards(session)
  const { used } = cards
  const facts = useMemo(() => {
    if (settings === undefined || pairs === undefined) return undefined
    const references = used.map(({ template, reference, by }) => ({ template, reference, by }))
    return { settings, pairs, currency, used: references }
  }, [settings, pairs, currency, used])
  useSheetFacts(session, facts)
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
