import type { CardListQuery, RegisteredCard } from "../../../contract/cards.ts"
import { registeredCards } from "../../api/gift-cards.ts"
import { apiPath } from "../../api/request.ts"
import { type CsvColumns, csvRows } from "../../lib/csv.ts"
import { formatCount } from "../../lib/format.ts"
import { isoDayOf, serverTime } from "../../lib/time.ts"
import { DownloadDialog, exportTask } from "../../forms/download.tsx"
import { isExpired, useTemplateName } from "./card-columns.tsx"

/** Downloads the register with the page's filters. */
export function ExportCards(props: {
  filter: CardListQuery
  filtered: boolean
  total: number | undefined
  onClose: () => void
}) {
  const { filter, filtered, total, onClose } = props
  const columns = exportColumns(useTemplateName())
  return (
    <DownloadDialog
      title="Download the register"
      action={total === undefined ? "Download" : `Download ${formatCount(total)} cards`}
      ready={total !== 0}
      task={() =>
        exportTask({
          name: `Gift cards ${isoDayOf(Date.now())}`,
          body: {
            kind: "cards",
            filter: Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)])),
          },
          path: apiPath("cards"),
          query: { ...filter },
          schema: registeredCards,
          idOf: ({ id }) => id,
          columns: Object.keys(columns),
          cellsOf: (cards) => csvRows(columns, cards),
          total,
        })
      }
      onClose={onClose}
    >
      <p className="text-secondary">
        A file with {filtered ? "the cards that match the filters in use" : "every card in the register"}. It
        holds names and e-mails and never a redeem link; that you exported it is in the audit log. It comes
        from Laurel’s own database.
      </p>
    </DownloadDialog>
  )
}

const exportColumns = (templateName: (id: string) => string): CsvColumns<RegisteredCard> => ({
  card_id: ({ id }) => id,
  status: (card) => (isExpired(card, serverTime(Date.now())) ? "expired" : card.status),
  test: ({ is_test }) => yesNo(is_test),
  recipient: ({ member }) => member.name,
  email: ({ member }) => member.email,
  member_id: ({ member }) => member.id,
  member_created: ({ member }) => yesNo(member.created),
  template: ({ template }) => template,
  template_name: ({ template }) => template && templateName(template),
  amount: ({ amount_cents }) => (amount_cents === null ? null : (amount_cents / 100).toFixed(2)),
  reference: ({ reference }) => reference,
  own_reference: ({ own_reference }) => own_reference,
  issued_at: ({ issued_at }) => issued_at,
  expires_at: ({ expires_at }) => expires_at,
  origin: ({ origin }) => origin,
  job: ({ job }) => job?.id,
  row: ({ job }) => job && (job.line ?? job.row),
  by: ({ by }) => by.name,
  replayed: ({ replayed }) => yesNo(replayed),
  looked_up_at: ({ looked_up_at }) => looked_up_at,
})

function yesNo(value: boolean | null): string | null {
  return value === null ? null : value ? "yes" : "no"
}
