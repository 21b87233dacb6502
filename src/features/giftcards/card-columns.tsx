import { Group, Stack } from "@mantine/core"
import { IconEye } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import type { RegisteredCard } from "../../../contract/cards.ts"
import { useCan } from "../../api/session.ts"
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

// None has a `value`: the server sorts the register, and a page of it is never all there is.
type CardColumn = ListColumn<RegisteredCard>

const mono = (id: string | null) => id && <Truncate className="l-mono text-secondary">{id}</Truncate>
const secondary = (children: ReactNode) => <span className="text-secondary truncate">{children}</span>

const issued: CardColumn = {
  id: "issued",
  label: "Issued",
  width: 128,
  cell: ({ issued_at }) => secondary(<RelativeTime at={issued_at} calendar />),
}
const amount: CardColumn = {
  id: "amount",
  label: "Amount",
  width: 112,
  end: true,
  touch: "phone",
  cell: (card, layout) => <Amount card={card} layout={layout} />,
}
const status: CardColumn = {
  id: "status",
  label: "Status",
  width: 176,
  touch: "tablet",
  cell: (card) => <CardStatus card={card} />,
}
const reference: CardColumn = {
  id: "reference",
  label: "Reference",
  width: 144,
  cell: (card) => mono(referenceOf(card)),
}
const expires: CardColumn = {
  id: "expires",
  label: "Expires",
  width: 128,
  end: true,
  touch: "tablet",
  cell: ({ expires_at }) => <Expiry at={expires_at} />,
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
    cell: (card, layout) => (
      <Group component="span" gap="sm" wrap="nowrap" miw={0}>
        <Avatar name={recipientOf(card)} />
        <CardLink card={card} layout={layout}>
          {recipientOf(card)}
        </CardLink>
        {layout === "wide" && <RevealInRow card={card} />}
      </Group>
    ),
  },
  { id: "template", label: "Template", cell: ({ template }) => secondary(<TemplateName id={template} />) },
  amount,
  status,
  reference,
  { id: "card", label: "Card id", width: 152, cell: ({ id }) => mono(id) },
  {
    id: "job",
    label: "Job",
    width: 120,
    hidden: true,
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
  { id: "by", label: "By", width: 144, hidden: true, cell: ({ by }) => secondary(by.name) },
  {
    id: "origin",
    label: "Source",
    width: 144,
    hidden: true,
    cell: ({ origin }) => secondary(originLabels[origin]),
  },
  {
    id: "looked-up",
    label: "Looked up",
    width: 128,
    hidden: true,
    cell: ({ looked_up_at }) => (
      <span className="text-muted">
        <RelativeTime at={looked_up_at} />
      </span>
    ),
  },
  expires,
]

/** A member's cards: the template leads, because the recipient is known. */
export const memberCardColumns: readonly CardColumn[] = [
  {
    id: "template",
    label: "Card",
    touch: "phone",
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
    <Stack component="span" gap={0} miw={0}>
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
    </Stack>
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

function Amount({ card, layout }: { card: RegisteredCard; layout: ListLayout }) {
  const isTest = card.is_test === true
  return (
    <Stack component="span" gap={0} align="end">
      <span className="l-strong">
        <CardMoney cents={card.amount_cents} />
      </span>
      {layout === "phone" && (
        <span className="caption">
          {isTest ? <CardStatus card={{ status: null, is_test: true }} /> : <Expiry at={card.expires_at} />}
        </span>
      )}
    </Stack>
  )
}
