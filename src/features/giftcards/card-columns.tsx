import { Group, Stack } from "@mantine/core"
import { IconCreditCard } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { type CardOrigin, integrationDefault, type RegisteredCard } from "../../../contract/cards.ts"
import { cardsQuery, cardTemplatesQuery } from "../../api/gift-cards.ts"
import { useCan, useSession } from "../../api/session.ts"
import { formatMoney } from "../../lib/format.ts"
import { exact, millis, shortDay } from "../../lib/time.ts"
import { layoutOf, type ListCell, type ListColumn, type ListLayout } from "../../lists/list-columns.ts"
import { useListQuery, useLocalListState } from "../../lists/list-state.ts"
import links from "../../lists/list-table.module.css"
import { ResourceList } from "../../lists/resource-list.tsx"
import { LinkButton } from "../../ui/button.tsx"
import { useServerNow } from "../../ui/hooks.ts"
import { CellLink } from "../../ui/record-link.tsx"
import { StatusLabel, type StatusText } from "../../ui/status.tsx"
import { Avatar, RelativeTime, Truncate } from "../../ui/values.tsx"
import { soonDays } from "./card-search.ts"

const issuedWord: StatusText = { icon: "mail-check", tone: "success", word: "Issued" }
const expiredWord: StatusText = { icon: "hourglass", tone: "grey", word: "Expired" }
const testWord: StatusText = { icon: "flask", tone: "warning", word: "Test" }

/**
 * A card's status, with a mark for test cards. Only `issued` is documented, and an expired card keeps it; any other
 * is shown as received.
 */
export function CardStatus(props: {
  card: Pick<RegisteredCard, "status" | "is_test"> & Partial<Pick<RegisteredCard, "expires_at">>
  pill?: boolean
}) {
  const { card, pill = false } = props
  const other: StatusText = { icon: "point", tone: "grey", word: card.status ?? "" }
  const known = isExpired(card, useServerNow("half-minute")) ? expiredWord : issuedWord
  const status = isIssued(card) ? known : other
  return (
    <Group component="span" display="inline-flex" gap={12} wrap="nowrap" style={{ verticalAlign: "middle" }}>
      {status.word !== "" && <StatusLabel status={status} pill={pill} />}
      {card.is_test === true && (
        <span title="Test card: the fund wasn’t charged">
          <StatusLabel status={testWord} pill={pill} asks />
        </span>
      )}
    </Group>
  )
}

type CardState = Pick<RegisteredCard, "status"> & Partial<Pick<RegisteredCard, "expires_at">>

const isIssued = ({ status }: Pick<CardState, "status">) => status?.toLowerCase() === "issued"

/** Whether an issued card has expired, which the service has no status for. */
export function isExpired(card: CardState, now: number): boolean {
  return isIssued(card) && (daysLeft(card.expires_at ?? null, now) ?? 0) < 0
}

/** Labels of how a card entered the register. */
export const originLabels: Readonly<Record<CardOrigin, string>> = {
  issued: "Issued here",
  adopted: "Issued elsewhere",
  unexpected: "Issued unexpectedly",
}

/** A card's recipient: the name, else the e-mail, else the id. */
export function recipientLabel({ member, id }: Pick<RegisteredCard, "member" | "id">): string {
  return member.name ?? member.email ?? member.id ?? id
}

const referenceOf = ({ own_reference, reference }: RegisteredCard) => own_reference ?? reference

/** Full days until a card expires: 0 on the last day, negative afterwards; undefined when unknown. */
export function daysLeft(expiresAt: string | null, now: number): number | undefined {
  const at = expiresAt === null ? Number.NaN : millis(expiresAt)
  return Number.isNaN(at) ? undefined : Math.floor((at - now) / 86_400_000)
}

export function daysLeftText(days: number): string {
  if (days < 0) return "Expired"
  if (days === 0) return "Within a day"
  return days === 1 ? "In 1 day" : `In ${days} days`
}

/** An amount in the program's currency; nothing when unknown. */
export function CardMoney({ cents }: { cents: number | null }) {
  const { currency } = useSession().program
  return cents === null ? null : <span className="l-num">{formatMoney(cents, currency)}</span>
}

function Expiry({ at }: { at: string | null }) {
  const now = useServerNow("half-minute")
  const days = daysLeft(at, now)
  if (at === null || days === undefined) return null
  const soon = days <= soonDays
  const look = soon && days >= 0 ? "l-medium tone-text" : "text-muted"
  const title = soon ? `${daysLeftText(days)}: ${exact(at)}` : exact(at)
  return (
    <time dateTime={at} title={title} className={`l-num ${look}`} data-tone="warning">
      {days < 0 ? "Expired" : shortDay(at, now)}
    </time>
  )
}

export function TemplateName({ id }: { id: string | null }) {
  const nameOf = useTemplateName()
  if (id === null) return null
  const name = nameOf(id)
  return (
    <span className={name === id ? "l-mono truncate" : "truncate"} title={id}>
      {name}
    </span>
  )
}

/** The name of a card template as entered in the settings, otherwise its id. */
export function useTemplateName(): (id: string) => string {
  const { data } = useQuery(cardTemplatesQuery)
  return (id) => {
    if (id === integrationDefault) return "Integration’s default"
    return data?.templates.find((template) => template.id === id)?.name ?? id
  }
}

// Without accessors: the server sorts the register, since a page is only a part of it.
type CardColumn = ListColumn<RegisteredCard>

const mono = (id: string | null) => id && <Truncate className="l-mono text-secondary">{id}</Truncate>

const issued: CardColumn = {
  id: "issued",
  header: "Issued",
  size: 144,
  cell: ({ row }) => <RelativeTime at={row.original.issued_at} calendar />,
  meta: { priority: 3, className: "text-secondary" },
}
const amount: CardColumn = {
  id: "amount",
  header: "Amount",
  size: 112,
  cell: Amount,
  meta: { align: "end", minLayout: "phone" },
}
const status: CardColumn = {
  id: "status",
  header: "Status",
  size: 176,
  cell: ({ row }) => <CardStatus card={row.original} />,
  meta: { minLayout: "tablet" },
}
const reference: CardColumn = {
  id: "reference",
  header: "Reference",
  size: 144,
  cell: ({ row }) => mono(referenceOf(row.original)),
  meta: { priority: 2 },
}
const expires: CardColumn = {
  id: "expires",
  header: "Expires",
  size: 120,
  cell: ({ row }) => <Expiry at={row.original.expires_at} />,
  meta: { align: "end", minLayout: "tablet" },
}

export const cardColumns: readonly CardColumn[] = [
  issued,
  {
    id: "recipient",
    header: "Recipient",
    // Fixed, so that names are not cut off; the template column takes the remaining width.
    size: 200,
    cell: ({ row: { original: card }, table }) => (
      <Group component="span" gap="sm" wrap="nowrap" miw={0}>
        <Avatar name={recipientLabel(card)} />
        <CardLink card={card} layout={layoutOf(table)}>
          {recipientLabel(card)}
        </CardLink>
      </Group>
    ),
    meta: { minLayout: "phone" },
  },
  {
    id: "template",
    header: "Template",
    cell: ({ row }) => <TemplateName id={row.original.template} />,
    meta: { className: "text-secondary", hasAction: true },
  },
  amount,
  status,
  reference,
  {
    id: "card",
    header: "Card id",
    size: 136,
    cell: ({ row }) => mono(row.original.id),
    meta: { priority: 1 },
  },
  {
    id: "job",
    header: "Job",
    size: 120,
    cell: ({
      row: {
        original: { job },
      },
    }) =>
      job !== null && (
        <CellLink
          to="/jobs/$jobId"
          params={{ jobId: job.id }}
          title={`Open job ${job.id}`}
          className="l-link l-mono"
        >
          {job.id}
        </CellLink>
      ),
    meta: { hidden: true },
  },
  {
    id: "by",
    header: "By",
    size: 144,
    cell: ({ row }) => row.original.by.name,
    meta: { hidden: true, className: "text-secondary" },
  },
  {
    id: "origin",
    header: "Source",
    size: 144,
    cell: ({ row }) => originLabels[row.original.origin],
    meta: { hidden: true, className: "text-secondary" },
  },
  {
    id: "looked-up",
    header: "Looked up",
    size: 128,
    cell: ({ row }) => <RelativeTime at={row.original.looked_up_at} />,
    meta: { hidden: true, className: "text-muted" },
  },
  expires,
]

/** A member's cards: the template first, since the recipient is known. */
export const memberCardColumns: readonly CardColumn[] = [
  {
    id: "template",
    header: "Card",
    cell: ({ row: { original: card }, table }) => (
      <CardLink card={card} layout={layoutOf(table)}>
        {card.template === null ? card.id : <TemplateName id={card.template} />}
      </CardLink>
    ),
    meta: { minLayout: "phone" },
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
      <CellLink
        to="/cards/$cardId"
        params={{ cardId: card.id }}
        data-row-link
        title={typeof children === "string" ? children : undefined}
        className={`${links.link} truncate`}
      >
        {children}
      </CellLink>
      {layout !== "wide" && <span className="caption truncate">{referenceOf(card) ?? card.id}</span>}
    </Stack>
  )
}

export function RevealInRow({ card }: { card: RegisteredCard }) {
  const may = useCan("secrets.reveal")
  if (!may || !card.can_reveal) return null
  return (
    <CellLink
      from="/cards"
      to="/cards"
      search={(now) => ({ ...now, open: "reveal", card: card.id })}
      resetScroll={false}
      className={links.action}
      aria-label={`Reveal the link of ${recipientLabel(card)}’s card`}
    >
      Reveal
    </CellLink>
  )
}

function Amount({ row: { original: card }, table }: ListCell<RegisteredCard>) {
  const isTest = card.is_test === true
  return (
    <Stack component="span" gap={0} align="end">
      <span className="l-strong">
        <CardMoney cents={card.amount_cents} />
      </span>
      {layoutOf(table) === "phone" && (
        <span className="caption">
          {isTest ? <CardStatus card={{ status: null, is_test: true }} /> : <Expiry at={card.expires_at} />}
        </span>
      )}
    </Stack>
  )
}

/** The gift cards of one member that the register knows, newest first. */
export function MemberCards({ memberId }: { memberId: string }) {
  const state = useLocalListState()
  const query = { member: memberId, page: state.page, per_page: state.perPage }
  const page = useListQuery(() => cardsQuery(query), state)
  return (
    <ResourceList
      label="Gift cards"
      query={{ ...page, refresh: page.retry }}
      columns={memberCardColumns}
      empty={{
        icon: IconCreditCard,
        title: "No gift cards for this member",
        help: "The service can’t list a member’s cards. To add a card issued elsewhere, look it up by id or reference.",
        actions: (
          <LinkButton to="/cards" search={{ open: "look-up" }}>
            Look up a card
          </LinkButton>
        ),
      }}
      footer={{
        note: (
          <Link to="/cards" search={{ member: memberId }} className="l-link">
            View in the register
          </Link>
        ),
      }}
    />
  )
}
