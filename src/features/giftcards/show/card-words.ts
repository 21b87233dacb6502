import type { CardOrigin, RegisteredCard } from "../../../../contract/cards.ts"
import { millis } from "../../../lib/time.ts"

/** How a card came into the register, for people. */
export const originWords: Readonly<Record<CardOrigin, string>> = {
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
