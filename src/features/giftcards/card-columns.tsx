import { IconEye } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import type { RegisteredCard } from "../../../contract/cards.ts"
import { useCan } from "../../api/session.ts"
import { millis } from "../../lib/time.ts"
import type { ListColumn, ListLayout } from "../../lists/list-columns.ts"
import links from "../../lists/list-table.module.css"
import { Avatar, RelativeTime, Truncate } from "../../ui/values.tsx"
import {
  CardMoney,
  CardStatus,
  Expiry,
  originLabels,
  recipientOf,
  referenceOf,
  TemplateName,
} from "./card-parts.tsx"

type CardColumn = ListColumn<RegisteredCard>

function timeColumn(
  id: string,
  label: string,
  timeOf: (card: RegisteredCard) => string | null,
  cell: (at: string | null) => ReactNode,
) {
  return {
    id,
    label,
    width: 128,
    value: (card: RegisteredCard) => {
      const at = timeOf(card)
      const ms = at === null ? Number.NaN : millis(at)
      return Number.isNaN(ms) ? undefined : ms
    },
    cell: (card: RegisteredCard) => cell(timeOf(card)),
  }
}

function idColumn(id: string, label: string, width: number, idOf: (card: RegisteredCard) => string | null) {
  return {
    id,
    label,
    width,
    value: (card: RegisteredCard) => idOf(card) ?? undefined,
    cell: (card: RegisteredCard) => {
      const text = idOf(card)
      return text && <Truncate className="l-mono text-secondary">{text}</Truncate>
    },
  }
}

function wordsColumn(id: string, label: string, wordsOf: (card: RegisteredCard) => string): CardColumn {
  return {
    id,
    label,
    width: 144,
    hidden: true,
    value: wordsOf,
    cell: (card) => <span className="text-secondary truncate">{wordsOf(card)}</span>,
  }
}

const issued: CardColumn = timeColumn(
  "issued",
  "Issued",
  ({ issued_at }) => issued_at,
  (at) => (
    <span className="text-secondary">
      <RelativeTime at={at} calendar />
    </span>
  ),
)

const amount: CardColumn = {
  id: "amount",
  label: "Amount",
  width: 112,
  end: true,
  touch: "phone",
  value: ({ amount_cents }) => amount_cents ?? undefined,
  cell: (card, layout) => <AmountCell card={card} layout={layout} />,
}

const status: CardColumn = {
  id: "status",
  label: "Status",
  width: 176,
  touch: "tablet",
  value: ({ status: value }) => value ?? undefined,
  cell: (card) => <CardStatus card={card} />,
}

const reference: CardColumn = idColumn("reference", "Reference", 144, referenceOf)

const expires: CardColumn = {
  ...timeColumn(
    "expires",
    "Expires",
    ({ expires_at }) => expires_at,
    (at) => <Expiry at={at} />,
  ),
  end: true,
  touch: "tablet",
}

/** The columns of the register. */
export const cardColumns: readonly CardColumn[] = [
  issued,
  {
    id: "recipient",
    label: "Recipient",
    // Names do not give way: what is left over goes to the template.
    width: 216,
    touch: "phone",
    value: recipientOf,
    cell: (card, layout) => (
      <span className={links.beside}>
        <Avatar name={recipientOf(card)} />
        <CardLink card={card} layout={layout}>
          {recipientOf(card)}
        </CardLink>
        {layout === "wide" && <RevealInRow card={card} />}
      </span>
    ),
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
  amount,
  status,
  reference,
  idColumn("card", "Card id", 152, ({ id }) => id),
  {
    id: "job",
    label: "Job",
    width: 120,
    hidden: true,
    value: ({ job }) => job?.id,
    cell: ({ job }) =>
      job !== null && (
        <Link
          to="/jobs/$jobId"
          params={{ jobId: job.id }}
          title={`Open job ${job.id}`}
          className="l-link l-mono"
        >
          {job.id}
        </Link>
      ),
  },
  wordsColumn("by", "By", ({ by }) => by.name),
  wordsColumn("origin", "Source", ({ origin }) => originLabels[origin]),
  {
    ...timeColumn(
      "looked-up",
      "Looked up",
      ({ looked_up_at }) => looked_up_at,
      (at) => (
        <span className="text-muted">
          <RelativeTime at={at} />
        </span>
      ),
    ),
    hidden: true,
  },
  expires,
]

/** A member's cards: the template leads, because the recipient is known. */
export const memberCardColumns: readonly CardColumn[] = [
  {
    id: "template",
    label: "Card",
    touch: "phone",
    value: ({ template, id }) => template ?? id,
    cell: (card, layout) => (
      <CardLink card={card} layout={layout}>
        {card.template === null ? card.id : <TemplateName id={card.template} />}
      </CardLink>
    ),
  },
  issued,
  amount,
  status,
  reference,
  expires,
]

function CardLink(props: { card: RegisteredCard; layout: ListLayout; children: ReactNode }) {
  const { card, layout, children } = props
  return (
    <span className={links.lines}>
      <Link
        to="/cards/$cardId"
        params={{ cardId: card.id }}
        data-row-link
        title={typeof children === "string" ? children : undefined}
        className={`${links.link} truncate`}
      >
        {children}
      </Link>
      {layout !== "wide" && <span className="caption truncate">{referenceOf(card) ?? card.id}</span>}
    </span>
  )
}

function RevealInRow({ card }: { card: RegisteredCard }) {
  const may = useCan("secrets.reveal")
  if (!may || !card.can_reveal) return null
  return (
    <Link
      from="/cards"
      to="/cards"
      search={(now) => ({ ...now, open: "reveal", card: card.id })}
      resetScroll={false}
      className={links.action}
      aria-label={`Reveal the link of ${recipientOf(card)}’s card`}
    >
      <IconEye size={16} stroke={1.75} aria-hidden />
      Reveal
    </Link>
  )
}

function AmountCell({ card, layout }: { card: RegisteredCard; layout: ListLayout }) {
  const value = (
    <span className="l-strong">
      <CardMoney cents={card.amount_cents} />
    </span>
  )
  if (layout !== "phone") return value
  return (
    <span className={links.lines}>
      {value}
      <span className="caption">
        {card.is_test === true ? (
          <CardStatus card={{ status: null, is_test: true }} />
        ) : (
          <Expiry at={card.expires_at} />
        )}
      </span>
    </span>
  )
}
