import { getRouteApi } from "@tanstack/react-router"
import { lazy } from "react"
import type { Recipients } from "../../../contract/members.ts"
import { useCan, useSession } from "../../api/session.ts"
import { ImportDenied, ImportPage } from "../../import/import-page.tsx"
import { useImport } from "../../import/import-session.ts"
import { ChooseView, RecipientRows, useRecipients } from "../../import/recipients.tsx"
import { useSheetFacts } from "../../import/sheet-facts.ts"
import { useFileCards } from "./file-cards.ts"

const route = getRouteApi("/_app/cards_/issue-file")

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
  const { view, company } = route.useSearch()
  const recipients = useRecipients({ view, company })
  useSheetFacts(session, { cards: true, used: cards.used })
  return (
    <ImportPage
      {...page}
      {...((view !== undefined || company !== undefined) && { title: "Issue to members" })}
      session={session}
      intake={<ChooseView />}
      note={<RecipientRows {...{ session, recipients }} columns={recipientColumns} toRow={toRecipientRow} />}
      help="It needs columns for the recipient’s e-mail, first name and last name, and the amount (or one amount for all rows). Card, reference, days, account key, mobile and unsubscribe link are optional."
      rows="Cards to issue"
    >
      <IssueFilePanel session={session} cards={cards} />
    </ImportPage>
  )
}

const recipientColumns = [
  { name: "E-mail", field: "email" },
  { name: "First name", field: "firstname" },
  { name: "Last name", field: "lastname" },
] as const
const toRecipientRow = ({ email, first_name, last_name }: Recipients["members"][number]) => [
  email ?? "",
  first_name ?? "",
  last_name ?? "",
]
