import { Group } from "@mantine/core"
import { IconFlask, IconMailCheck, IconPoint } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import type { CardOrigin, RegisteredCard } from "../../../contract/cards.ts"
import { cardTemplatesQuery } from "../../api/gift-cards.ts"
import { useSession } from "../../api/session.ts"
import { formatMoney } from "../../lib/format.ts"
import { exact, millis, shortDay } from "../../lib/time.ts"
import { useNow } from "../../ui/hooks.ts"
import { StatusLabel, type StatusWord } from "../../ui/status.tsx"
import { Tooltip } from "../../ui/tooltip.tsx"
import { soonDays } from "./search.ts"

const issued: StatusWord = { icon: IconMailCheck, tone: "success", word: "Issued" }
const test: StatusWord = { icon: IconFlask, tone: "warning", word: "Test" }

/**
 * A card's status as the service said it last, and whether it is a test card; `pill` tints them beside an `h1`. The
 * one value the document shows is `issued`; any other is shown as it comes.
 */
export function CardStatus(props: { card: Pick<RegisteredCard, "status" | "is_test">; pill?: boolean }) {
  const { card, pill = false } = props
  const other: StatusWord = { icon: IconPoint, tone: "grey", word: card.status ?? "" }
  const status = card.status?.toLowerCase() === "issued" ? issued : other
  return (
    <Group component="span" display="inline-flex" gap={12} wrap="nowrap" style={{ verticalAlign: "middle" }}>
      {status.word !== "" && <StatusLabel status={status} pill={pill} />}
      {card.is_test === true && (
        <span title="Test card: the fund wasn’t charged">
          <StatusLabel status={test} pill={pill} asks />
        </span>
      )}
    </Group>
  )
}

/** How a card came into the register, for people. */
export const originLabels: Readonly<Record<CardOrigin, string>> = {
  issued: "Issued here",
  adopted: "Issued elsewhere",
  unexpected: "Issued unexpectedly",
}

/** Whom a card is for: the name, else the e-mail, else the id. */
export function recipientOf({ member, id }: Pick<RegisteredCard, "member" | "id">): string {
  return member.name ?? member.email ?? member.id ?? id
}

/** The person's own reference, or the one that was sent. */
export function referenceOf({ own_reference, reference }: RegisteredCard): string | null {
  return own_reference ?? reference
}

/** Whole days from now to a card's end: 0 on the last day, negative once it is over; undefined where it is not known. */
export function daysLeft(expiresAt: string | null, now: number): number | undefined {
  const at = expiresAt === null ? Number.NaN : millis(expiresAt)
  return Number.isNaN(at) ? undefined : Math.floor((at - now) / 86_400_000)
}

/** "In 12 days", "Within a day", "Expired". */
export function daysLeftWords(days: number): string {
  if (days < 0) return "Expired"
  if (days === 0) return "Within a day"
  return days === 1 ? "In 1 day" : `In ${days} days`
}

/** An amount in the program's currency; nothing where it is not known. */
export function CardMoney({ cents }: { cents: number | null }) {
  const { currency } = useSession().program
  return cents === null ? null : <span className="l-num">{formatMoney(cents, currency)}</span>
}

/** When a card ends: the day, and louder when that is soon. */
export function Expiry({ at }: { at: string | null }) {
  const now = useNow("half-minute")
  const days = daysLeft(at, now)
  if (at === null || days === undefined) return null
  const soon = days <= soonDays
  const look = soon && days >= 0 ? "l-medium tone-text" : "text-muted"
  return (
    <Tooltip label={soon ? `${daysLeftWords(days)}: ${exact(at)}` : exact(at)}>
      <time dateTime={at} className={`l-num ${look}`} data-tone="warning">
        {days < 0 ? "Expired" : shortDay(at, now)}
      </time>
    </Tooltip>
  )
}

/** A card template by its name; nothing where the card names none. */
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

/** The name of a card template as entered in the settings; its id where none was entered. */
export function useTemplateName(): (id: string) => string {
  const { data } = useQuery(cardTemplatesQuery)
  return (id) => data?.templates.find((template) => template.id === id)?.name ?? id
}
