import { Link } from "@tanstack/react-router"
import type { RegisteredCard } from "../../../../contract/cards.ts"
import { millis } from "../../../lib/time.ts"
import type { ListColumn } from "../../../lists/list-columns.ts"
import links from "../../../lists/list-table.module.css"
import { RelativeTime } from "../../../ui/values.tsx"
import { CardStatus, Expiry, originWords, recipientOf, referenceOf, TemplateName } from "../card-parts.tsx"
import { AmountCell, RecipientCell, ReferenceCell } from "./card-cells.tsx"

/** The columns of the register. */
export const cardColumns: readonly ListColumn<RegisteredCard>[] = [
  {
    id: "issued",
    label: "Issued",
    width: 128,
    value: ({ issued_at }) => timeValue(issued_at),
    cell: ({ issued_at }) => (
      <span className={`text-secondary ${links.above}`}>
        <RelativeTime at={issued_at} calendar />
      </span>
    ),
  },
  {
    id: "recipient",
    label: "Recipient",
    // Names do not give way: what is left over goes to the template.
    width: 216,
    touch: "phone",
    value: recipientOf,
    cell: (card, layout) => <RecipientCell card={card} layout={layout} withReveal />,
  },
  {
    id: "template",
    label: "Template",
    value: ({ template }) => template ?? undefined,
    cell: ({ template }) => (
      <span className="text-secondary">
        <TemplateName id={template} />
      </span>
    ),
  },
  {
    id: "amount",
    label: "Amount",
    width: 112,
    end: true,
    touch: "phone",
    value: ({ amount_cents }) => amount_cents ?? undefined,
    cell: (card, layout) => <AmountCell card={card} layout={layout} />,
  },
  {
    id: "status",
    label: "Status",
    width: 176,
    touch: "tablet",
    value: ({ status }) => status ?? undefined,
    cell: (card) => <CardStatus card={card} />,
  },
  {
    id: "reference",
    label: "Reference",
    width: 144,
    value: (card) => referenceOf(card) ?? undefined,
    cell: (card) => <ReferenceCell reference={referenceOf(card)} />,
  },
  {
    id: "card",
    label: "Card id",
    width: 152,
    value: ({ id }) => id,
    cell: ({ id }) => <ReferenceCell reference={id} />,
  },
  {
    id: "job",
    label: "Job",
    width: 120,
    hidden: true,
    value: ({ job }) => job?.id,
    cell: ({ job }) =>
      job !== null && (
        <Link to="/jobs/$jobId" params={{ jobId: job.id }} className={`l-link l-mono ${links.above}`}>
          {job.id}
        </Link>
      ),
  },
  {
    id: "by",
    label: "By",
    width: 144,
    hidden: true,
    value: ({ by }) => by.name,
    cell: ({ by }) => <span className="text-secondary truncate">{by.name}</span>,
  },
  {
    id: "origin",
    label: "Source",
    width: 144,
    hidden: true,
    value: ({ origin }) => originWords[origin],
    cell: ({ origin }) => <span className="text-secondary">{originWords[origin]}</span>,
  },
  {
    id: "looked-up",
    label: "Looked up",
    width: 128,
    hidden: true,
    value: ({ looked_up_at }) => timeValue(looked_up_at),
    cell: ({ looked_up_at }) => (
      <span className={`text-muted ${links.above}`}>
        <RelativeTime at={looked_up_at} />
      </span>
    ),
  },
  {
    id: "expires",
    label: "Expires",
    width: 128,
    end: true,
    touch: "tablet",
    value: ({ expires_at }) => timeValue(expires_at),
    cell: ({ expires_at }) => (
      <span className={links.above}>
        <Expiry at={expires_at} />
      </span>
    ),
  },
]

function timeValue(at: string | null): number | undefined {
  const ms = at === null ? Number.NaN : millis(at)
  return Number.isNaN(ms) ? undefined : ms
}
