import { IconFlask, IconMailCheck, IconPoint } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useCallback } from "react"
import type { CardOrigin, RegisteredCard } from "../../../contract/cards.ts"
import type { JobRow } from "../../../contract/job-rows.ts"
import { cardTemplatesQuery } from "../../api/gift-cards.ts"
import { useSession } from "../../api/session.ts"
import { soonDays } from "./search.ts"
import { formatMoney } from "../../lib/format.ts"
import { exact, millis, shortDay } from "../../lib/time.ts"
import { useNow } from "../../ui/hooks.ts"
import { Tooltip } from "../../ui/tooltip.tsx"
import classes from "./gift-cards.module.css"
import words from "../../ui/status.module.css"

/**
 * A card's status as the service said it last, and whether it is a test card; `pill` tints them beside an `h1`. The
 * one value the document shows is `issued`; any other is shown as it comes.
 */
export function CardStatus(props: { card: Pick<RegisteredCard, "status" | "is_test">; pill?: boolean }) {
  const { card, pill = false } = props
  const { status, is_test } = card
  const issued = status?.toLowerCase() === "issued"
  const Icon = issued ? IconMailCheck : IconPoint
  return (
    <span className={classes.both}>
      {status !== null && status !== "" && (
        <span className={words.status} data-tone={issued ? "success" : "grey"} data-pill={pill || undefined}>
          <Icon size={15} stroke={2} aria-hidden className={words.icon} />
          {issued ? "Issued" : status}
        </span>
      )}
      {is_test === true && (
        <span
          className={`${words.status} ${classes.test}`}
          data-tone="warning"
          data-pill={pill || undefined}
          title="Test card: the fund wasn’t charged"
        >
          <IconFlask size={15} stroke={2} aria-hidden className={words.icon} />
          Test
        </span>
      )}
    </span>
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

const dayMs = 86_400_000

/** Whole days from now to a card's end: 0 on the last day, negative once it is over; undefined where it is not known. */
export function daysLeft(expiresAt: string | null, now: number): number | undefined {
  const at = expiresAt === null ? Number.NaN : millis(expiresAt)
  return Number.isNaN(at) ? undefined : Math.floor((at - now) / dayMs)
}

/** "In 12 days", "Today", "Expired". */
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

/** When a card ends: the day, and louder when that is soon or past. */
export function Expiry({ at }: { at: string | null }) {
  const now = useNow("half-minute")
  const days = daysLeft(at, now)
  if (at === null || days === undefined) return null
  const soon = days <= soonDays
  return (
    <Tooltip label={soon ? `${daysLeftWords(days)}: ${exact(at)}` : exact(at)}>
      <time dateTime={at} className={`l-num ${classes.day}`} data-soon={(soon && days >= 0) || undefined}>
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
  return useCallback(
    (id) => data?.templates.find((template) => template.id === id)?.name ?? id,
    [data?.templates],
  )
}

/** Id of the card that has a row's reference already; undefined for every other outcome. It begins the message. */
export function earlierCardOf({ outcome }: Pick<JobRow, "outcome">): string | undefined {
  if (outcome?.code !== "earlier_card") return undefined
  return /^(\S+): /.exec(outcome.message)?.[1]
}
